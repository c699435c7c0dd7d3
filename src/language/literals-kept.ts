const QUOTED = /"""([^]*?)"""|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'/g
const HEREDOC = /<<-?['"]?([A-Za-z_]\w*)['"]?[ \t]*\n([^]*?)\n[ \t]*\1\b/g
/** An unquoted value, and a number anywhere. */
const VALUE = /(?<=(?:(?<!=)>|[=~<:])\s{0,3})(?!(?:await|new)\s)[\w./@+-]+(?![\w./@+(-])/g
const NUMBER = /(?<![\w.-])\d[\w-]*(?:[.:]\d[\w-]*)*/g
/** The mark of another language before a text: `f"…"`. */
const PREFIX = /(?<=[=([,:]\s{0,3})[fbr](?=["'])/gi
/** The number of an item of a list. */
const MARK = /^[ \t]*\d{1,3}[.)][ \t]+/gm
/** `[0]` and `[0:` are the first row, not a value. */
const INDEX = /\[\s*(?:0?\s*:?\s*\]|0\s*:)/g
/** `%` around a pattern is a spelling of its operator, `-` before a field one of its direction. */
const MARKS = /^(?:%+|-(?=[A-Za-z]))|%+$/g

/** The row of a function, `p => …`: `p.name` is a field, not a value. */
const FUNCTION_ROW = /([A-Za-z_]\w*)\)?\s{0,3}=>/g

/** Whether every text, number and unquoted value of the program is still in the fixed one. */
export function keepsLiterals(before: string, after: string): boolean {
  return literalsIn(before).every((literal) => after.includes(literal))
}

function literalsIn(program: string): readonly string[] {
  const text = program
    .replace(/^[ \t]*(?:;;|#|\/\/|--[ \t]).*$/gm, '')
    .replaceAll(INDEX, '')
    .replaceAll(PREFIX, '')
    .replace(MARK, '')
  const found: string[] = []
  let rest = ''
  let at = 0
  const opaque = [...text.matchAll(HEREDOC), ...text.matchAll(QUOTED)].toSorted((a, b) => a.index - b.index)
  for (const match of opaque) {
    if (match.index < at) continue
    rest += `${text.slice(at, match.index)}""`
    at = match.index + match[0].length
    const held = match.slice(1).findLast((part) => part !== undefined) ?? ''
    found.push(...held.replace(MARKS, '').split('\n'))
  }
  rest += text.slice(at)
  for (const [, row = ''] of rest.matchAll(FUNCTION_ROW))
    rest = rest.replaceAll(new RegExp(`\\b${row}\\.[A-Za-z_][\\w.]*`, 'g'), '')
  for (const [value] of rest.matchAll(VALUE)) found.push(value.replace(/^-(?=[A-Za-z])/, ''))
  for (const [number] of rest.matchAll(NUMBER)) found.push(number)
  return found.map((literal) => literal.trim()).filter((literal) => literal !== '')
}
