import type { Fix } from '../../../base/diagnostic.ts'
import { oneLine } from '../../../base/text/one-line.ts'
import { problem } from '../../problems.ts'
import type { Value } from '../../syntax/tree.ts'
import type { Context } from '../model/context.ts'

/** The longest expression that a message repeats, in characters. */
const MAX_SHOWN = 60
/** `label.name` or `_.name`, not inside a longer word, an address or a path. */
const COLUMN = /(?<![\w.$@/-])([A-Za-z_]\w*)((?:\.[A-Za-z_]\w*)+)/g
/** What no text begins with: a variable of another language, a spread, a text with a prefix or in other quotes. */
const OPENED = /^(?:\$[A-Za-z_{(.]|\.\.\.[\w[(]|[fbr]["']|`)/i
/** What follows a list or a group only in an expression. */
const CONTINUED = /^\s*(?:$|[+*/%|&?[]|==|\.[A-Za-z_])/
const JOINED = /^([A-Za-z_]\w*)\s*(?:\+|\*|\?\?|\|\||&&)\s/
/** A word of which no part is an expression: by far the most values of long lists. */
const WORD = /^[\w-]+$/
/** Text in which nothing is an operator or a bracket. */
const PROSE = /^[\w\s.,:;!?#@/'"-]*$/

/**
 * Reports unquoted text that is an expression which the language does not have, as in `labels=[_.labels[name], stale]`,
 * `title=_.title + x` or `` text=`Hi ${x.name}` ``. Sent as text it would be a wrong value that no one sees.
 */
export function refusesExpressionText(
  context: Context,
  { text, span }: Extract<Value, { kind: 'bare' }>,
  slot: string,
): boolean {
  if (WORD.test(text)) return false
  const names = columnsIn(context, text)
  if (names.length === 0 && !isOperation(context, text)) return false
  const fix = quotedFix(text, names)
  context.report(
    problem(
      'expression_as_text',
      { text: oneLine(text, MAX_SHOWN), slot },
      { span, ...(fix !== undefined && { fix: { edits: [{ span, text: fix }] } satisfies Fix }) },
    ),
  )
  return true
}

/** The columns of rows that the text names: `_.title`, `report.content`. */
function columnsIn(context: Context, text: string): readonly string[] {
  return [...text.matchAll(COLUMN)]
    .filter(
      ([, first = '', rest = '']) => first === '_' || isColumn(context, first, rest.split('.')[1] ?? ''),
    )
    .map(([path]) => path)
}

function isColumn({ labels }: Context, label: string, name: string): boolean {
  const rows = labels.get(label)?.rows
  if (!rows) return false
  if (rows.columns === 'open') return true
  if (rows.columns) return rows.columns.some((column) => column.name === name)
  const entity = rows.target?.entity
  return [...(entity?.fields ?? []), ...(entity?.relations ?? [])].some((one) => one.name === name)
}

function isOperation({ labels }: Context, text: string): boolean {
  if (OPENED.test(text)) return true
  const joined = JOINED.exec(text)?.[1]
  if (joined !== undefined) return joined === '_' || labels.has(joined)
  if (!/^[[(]/.test(text)) return false
  const end = afterBracket(text)
  return end !== undefined && CONTINUED.test(text.slice(end))
}

/** The offset after the bracket that closes the first character. */
function afterBracket(text: string): number | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if ('[({'.includes(text.charAt(at))) depth++
    else if ('])}'.includes(text.charAt(at)) && --depth === 0) return at + 1
  }
  return undefined
}

/** The same as a quoted text, the columns in it as `${…}`. Undefined where a mark or an operator would become text. */
function quotedFix(text: string, names: readonly string[]): string | undefined {
  const inner = /^(?:[fbr]?"([^"]*)"|[fbr]'([^']*)'|`([^`]*)`)$/i
    .exec(text)
    ?.slice(1)
    .find((part) => part !== undefined)
  if (inner !== undefined) {
    const filled = inner.replaceAll(/\$?\{([A-Za-z_][\w.]*)\}/g, (whole, path: string) =>
      names.includes(path) ? `\${${path}}` : whole,
    )
    // An expression in braces would become text.
    return /(?<!\$)\{|\$\{(?![A-Za-z_][\w.]*\})/.test(filled) ? undefined : JSON.stringify(filled)
  }
  if (names.length === 0 || text.startsWith('...') || !PROSE.test(text)) return undefined
  return JSON.stringify(text.replaceAll(COLUMN, (path) => (names.includes(path) ? `\${${path}}` : path)))
}
