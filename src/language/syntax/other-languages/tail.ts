import { selectionAsColumns } from './selection.ts'
import { sqlTailAsSteps } from './sql.ts'

const CALLED = /^\.?[A-Za-z_]\w*(?:\([^()|]*\))?$/
const PATH = /^\.[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/

/** What other languages write behind rows (`| sort(x)`, `{ title }`, `order by x`) as steps; undefined for anything else. */
export function tailAsSteps(text: string): string | undefined {
  if (text.startsWith('|')) return piped(text)
  return text.startsWith('{') ? columns(text) : sqlTailAsSteps(text)
}

function columns(text: string): string | undefined {
  const selected = selectionAsColumns(text)
  return selected && `[${selected.join(', ')}]`
}

/** `| sort(x) | .title` as `.sort(x)[title]`. */
function piped(text: string): string | undefined {
  const steps = text
    .slice(1)
    .split('|')
    .map((part) => step(part.trim()))
  return steps.includes(undefined) ? undefined : steps.join('')
}

function step(text: string): string | undefined {
  if (text.startsWith('{')) return columns(text)
  if (PATH.test(text)) return `[${text.slice(1)}]`
  return CALLED.test(text) ? `.${text.replace(/^\./, '')}` : undefined
}
