import type { Span } from '../../../base/diagnostic.ts'
import type { Name, TextValue } from '../../syntax/tree.ts'
import type { CheckedValue } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { resolveRowValue } from './row-values.ts'

const PATTERN = /\$\$|\$\{([A-Za-z_]\w*(?:\.[A-Za-z_][\w-]*)*)\}/g

/**
 * Text with `${label.path}` and `${_.path}` seen as values. Only bound labels and `_` count: any other `${…}` (a shell's,
 * a template's) is text. `$$` is one `$`.
 *
 * @returns the text where nothing is put in; undefined where what is put in is wrong
 */
export function interpolate(context: Context, value: TextValue): string | CheckedValue | undefined {
  if (!value.value.includes('$')) return value.value
  const parts: (string | CheckedValue)[] = []
  let text = ''
  let at = 0
  let broken = false
  for (const match of value.value.matchAll(PATTERN)) {
    text += value.value.slice(at, match.index)
    at = match.index + match[0].length
    const path = match[1]
    if (path === undefined) text += '$'
    else if (!isKnown(context, path)) text += match[0]
    else {
      const holder = resolveRowValue(context, {
        kind: 'path',
        names: namesIn(path, value.span),
        text: path,
        span: value.span,
      })
      if (!holder || holder === 'broken') broken = true
      else {
        if (text !== '') parts.push(text)
        parts.push(holder.value)
        text = ''
      }
    }
  }
  text += value.value.slice(at)
  if (broken) return undefined
  if (parts.length === 0) return text
  return { kind: 'text', parts: text === '' ? parts : [...parts, text] }
}

function isKnown(context: Context, path: string): boolean {
  const [first = ''] = path.split('.')
  return first === '_' ? context.cursor !== undefined : context.labels.has(first)
}

/** Escapes make offsets inside a text unreliable: every name gets the span of the whole text. */
function namesIn(path: string, span: Span): readonly Name[] {
  return path.split('.').map((text) => ({ text, span }))
}
