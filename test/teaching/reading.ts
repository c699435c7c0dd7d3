import { TABLE_HEADER } from '../../src/teaching/table.ts'

/*
 * A table read as an agent reads it: by its text and the rules of the grammar alone, with no catalog at hand.
 */

/** A field, a relation or an argument as its row says it; the type in one canonical spelling. */
interface ReadSlot {
  readonly name: string
  readonly type: string
}

/** One way to call something. */
export interface ReadRow {
  readonly expression: string
  /** `[e1]`, `e1`, `write e1`, `write`; absent where the expression itself is the one thing. */
  readonly result?: string
  readonly required: readonly ReadSlot[]
  readonly optional: readonly ReadSlot[]
}

export interface ReadEntity {
  readonly symbol: string
  /** `Customer`, behind `shop.` where the session has several catalogs. */
  readonly name: string
  /** Fields and relations. */
  readonly slots: readonly ReadSlot[]
  readonly rows: readonly ReadRow[]
}

interface Draft {
  readonly symbol: string
  readonly name: string
  readonly slots: ReadSlot[]
  readonly rows: { readonly expression: string; readonly parts: readonly string[] }[]
}

/** The entities that a table teaches, in its order. */
export function readTable(table: string): readonly ReadEntity[] {
  const [header, ...rows] = table.trimEnd().split('\n')
  if (header !== TABLE_HEADER) throw new Error(`no table: ${table.slice(0, 80)}`)
  const drafts = new Map<string, Draft>()
  const lists: { readonly draft: Draft; readonly list: string }[] = []
  for (const row of rows) {
    const [expression = '', meaning = ''] = row.split('\t')
    const symbol = /^e\d+/.exec(expression)?.[0] ?? ''
    const parts = meaning.split(' · ')
    const known = drafts.get(symbol)
    if (known) {
      known.rows.push({ expression, parts })
      continue
    }
    // An entity's first row says what it is, and of what it consists.
    const result = isGet(expression) || !isResult(parts[0] ?? '') ? [] : parts.splice(0, 1)
    const [title = ''] = parts.splice(0, 1)
    const list = parts[0] !== undefined && isList(parts[0]) ? (parts.splice(0, 1)[0] ?? '') : ''
    if (parts[0]?.startsWith('also ') === true) parts.splice(0, 1)
    const draft: Draft = { symbol, name: title.split(':')[0] ?? '', slots: [], rows: [] }
    draft.rows.push({ expression, parts: [...result, ...parts] })
    drafts.set(symbol, draft)
    lists.push({ draft, list })
  }
  const names = new Map(
    [...drafts.values()].map(({ symbol, name }) => [symbol, name.split('.').at(-1) ?? '']),
  )
  for (const { draft, list } of lists) draft.slots.push(...slotsIn(list, names), ...askingIn(draft, names))
  return [...drafts.values()].map((draft) => ({
    ...draft,
    rows: draft.rows.map(({ expression, parts }) => readRow(expression, parts, draft.slots, names)),
  }))
}

/** Relations that need arguments have rows of their own: `e4($).posts{feed=$}`. */
function askingIn({ rows }: Draft, names: Names): readonly ReadSlot[] {
  return rows.flatMap(({ expression, parts }) => {
    const name = relationIn(expression)
    return name === undefined ? [] : [{ name, type: typeIn(parts[0] ?? '', names) }]
  })
}

/** The relation of `e4($).posts{feed=$}`. */
export function relationIn(expression: string): string | undefined {
  return /^e\d+\(\$\)\.(\w+)\{/.exec(expression)?.[1]
}

/** `e1($)`: one by its key, with nothing behind it. */
export function isGet(expression: string): boolean {
  return /^e\d+\([^)]*\)$/.test(expression)
}

function isResult(part: string): boolean {
  return /^(?:write|(?:write )?e\d+|\[e\d+\])$/.test(part)
}

type Names = ReadonlyMap<string, string>

function readRow(
  expression: string,
  parts: readonly string[],
  fields: readonly ReadSlot[],
  names: Names,
): ReadRow {
  const left = argumentsIn(expression, names)
  const [first, ...rest] = parts
  const result = first !== undefined && isResult(first) ? first : undefined
  const said = result === undefined ? parts : rest
  const implied = (name: string) => fields.find((field) => field.name === name)?.type ?? 'str'
  const optional = said.find((part) => part.startsWith('opt '))?.slice('opt '.length) ?? ''
  const typed = said.filter((part) => !part.startsWith('opt ')).find((part) => isListOf(part, left))
  const types = new Map(slotsIn(typed ?? '', names, implied).map(({ name, type }) => [name, type]))
  return {
    expression,
    ...(result !== undefined && { result }),
    required: left.map(({ name, type }) => ({ name, type: types.get(name) ?? type ?? implied(name) })),
    optional: slotsIn(optional, names, implied),
  }
}

/** What stands in the last brackets of an expression; `~` is the text of a search. */
function argumentsIn(
  expression: string,
  names: Names,
): readonly { readonly name: string; readonly type?: string }[] {
  const search = expression.includes('~$') ? [{ name: '~' }] : []
  const list = expression.slice(opener(expression) + 1, -1)
  const entries = pieces(list, ',').filter((entry) => entry.includes('='))
  return [
    ...search,
    ...entries.map((entry) => {
      const [name = '', value = ''] = entry.split(/=(.*)/)
      const target = names.get(/^(e\d+)\(/.exec(value)?.[1] ?? '')
      return { name, ...(target !== undefined && { type: `ref ${target}` }) }
    }),
  ]
}

/** Where the brackets open that close at the end of the expression; its end where it ends otherwise. */
export function opener(expression: string): number {
  let depth = 0
  for (let at = expression.length - 1; at >= 0; at--) {
    const char = expression.charAt(at)
    if (')}'.includes(char)) depth++
    if ('({'.includes(char)) depth--
    if (depth === 0) return ')}'.includes(expression.slice(-1)) ? at : expression.length
  }
  return expression.length
}

/** A list of slots, not a sentence: every piece is a name, and a type where one stands. */
function isList(part: string): boolean {
  return !/^(?:opt|also) /.test(part) && pieces(part, ', ').every((piece) => SLOT.test(piece))
}

function isListOf(part: string, left: readonly { readonly name: string }[]): boolean {
  return isList(part) && pieces(part, ', ').every((piece) => left.some(({ name }) => name === nameIn(piece)))
}

const SLOT = /^[A-Za-z_]\w*\??(?: "(?:[^"\\]|\\.)*")?(?: (?!or |of |and |in |on |for |to |a |an |the )\S.*)?$/

function nameIn(piece: string): string {
  return piece.split(' ')[0] ?? ''
}

function slotsIn(
  list: string,
  names: Names,
  implied: (name: string) => string = () => 'str',
): readonly ReadSlot[] {
  if (list === '') return []
  return pieces(list, ', ').map((piece) => {
    const name = nameIn(piece)
    const rest = piece.slice(name.length + 1)
    // `p12 "wire name"` is a slot whose own name is no word of the language.
    const type = /^p\d+$/.test(name) ? rest.replace(/^"(?:[^"\\]|\\.)*" ?/, '') : rest
    return { name, type: type === '' ? implied(name) : typeIn(type, names) }
  })
}

const WORDS = new Set([
  'str',
  'int',
  'num',
  'bool',
  'uuid',
  'date',
  'json',
  'blob',
  'markdown',
  'document',
  'html',
])

/** How a text of a contract is written, with its unit. */
const WRITTEN = /^(?:address|u?int\d+|bytes\d*)(?: in .*)?$/

/** The canonical spelling of a type: one of the words, `ref Entity`, `a|b`, `[…]`, `{…}`, `one{…}|other{…}`. */
function typeIn(text: string, names: Names): string {
  if (text === '' || WRITTEN.test(text)) return 'str'
  if (text.startsWith('[')) return `[${typeIn(text.slice(1, -1), names)}]`
  if (text.startsWith('{')) return `{${membersIn(text.slice(1, -1), names)}}`
  const [only = '', ...more] = pieces(text, '|')
  if (more.length === 0 && WORDS.has(only)) return only
  if (more.length === 0 && /^[A-Za-z_]\w*$/.test(only)) return `ref ${names.get(only) ?? only}`
  return [only, ...more]
    .map((piece) => {
      const variant = /^(?<name>[^{"]+)\{(?<inside>.*)\}$/.exec(piece)?.groups
      if (variant) return `${variant['name'] ?? ''}{${membersIn(variant['inside'] ?? '', names)}}`
      return piece.startsWith('"') ? piece : JSON.stringify(piece)
    })
    .join('|')
}

function membersIn(list: string, names: Names): string {
  return slotsIn(list, names)
    .map(({ name, type }) => `${name} ${type}`)
    .join(', ')
}

/** The pieces of a list, cut only outside of brackets and quotes. */
export function pieces(list: string, separator: string): readonly string[] {
  const found: string[] = []
  let [depth, quoted, start] = [0, false, 0]
  for (let at = 0; at < list.length; at++) {
    const char = list.charAt(at)
    if (quoted && char === '\\') at++
    else if (char === '"') quoted = !quoted
    else if (!quoted && '[{('.includes(char)) depth++
    else if (!quoted && ')}]'.includes(char)) depth--
    else if (!quoted && depth === 0 && list.startsWith(separator, at)) {
      found.push(list.slice(start, at))
      start = at + separator.length
    }
  }
  return list === '' ? [] : [...found, list.slice(start)]
}
