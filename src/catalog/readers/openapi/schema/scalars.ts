import { scalarText } from '../../../../base/json.ts'
import type { Type } from '../../../model.ts'
import { textTypeOf } from '../../../values/text-type.ts'
import type { View } from './view.ts'

/** Longer enumerations would fill a table: their values are text there. */
const MAX_OPTION_TEXT = 400
const MAX_OPTION_LENGTH = 60

export const TEXT: Type = { kind: 'string', semantics: 'short' }
export const JSON_VALUE: Type = { kind: 'json' }

/** The type of a scalar: enumeration, date, id, number or text; undefined if the schema is none, or allows scalars of several kinds. */
export function scalarType(view: View): Type | undefined {
  const { types, format = '' } = view
  const [type, other] = types.length > 0 ? types : kindsOf(view)
  if (other !== undefined) return undefined
  if (format === 'unix_sec' || format === 'unix_ms')
    return { kind: 'date', format, ...(type === 'string' && { text: true as const }) }
  switch (type) {
    case 'string': {
      const options = optionsOf(view)
      return options ? { kind: 'select', options } : textType(format)
    }
    case 'integer':
      return { kind: 'integer', ...numbersOf(view) }
    case 'number':
      return { kind: format.startsWith('int') ? 'integer' : 'number', ...numbersOf(view) }
    case 'boolean':
      return { kind: 'boolean' }
    default:
      return undefined
  }
}

/** The kinds of the values that a schema without a type lists. */
function kindsOf({ options = [] }: View): readonly string[] {
  return [...new Set(options.map((one) => (Number.isInteger(one) ? 'integer' : typeof one)))]
}

function optionsOf({ options = [] }: View): readonly string[] | undefined {
  const texts = options.flatMap((one) => scalarText(one) ?? [])
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  const isPlain = texts.length === options.length && texts.every((text) => text.length <= MAX_OPTION_LENGTH)
  return texts.length > 0 && isPlain && length <= MAX_OPTION_TEXT ? [...new Set(texts)] : undefined
}

/** The numbers that an enumeration lists. One is no choice. */
function numbersOf(view: View): { readonly options?: readonly number[] } {
  const { options = [] } = view
  const numbers = [...new Set(options.filter((one) => typeof one === 'number'))]
  const isChoice = numbers.length > 1 && numbers.length === options.length && optionsOf(view) !== undefined
  return isChoice ? { options: numbers } : {}
}

/** The one type of values that fit any of these: their options together, a number; undefined if there is none but JSON. */
export function commonType(types: readonly Type[]): Type | undefined {
  const [first] = types
  if (!first) return undefined
  if (types.every(({ kind }) => kind === 'select')) {
    const options = types.flatMap((type) => (type.kind === 'select' ? type.options : []))
    return { kind: 'select', options: [...new Set(options)] }
  }
  const numbers = types.flatMap((type) => (type.kind === 'integer' || type.kind === 'number' ? [type] : []))
  if (numbers.length === types.length) {
    const kind = numbers.every((type) => type.kind === 'integer') ? 'integer' : 'number'
    const options = [...new Set(numbers.flatMap((type) => type.options ?? []))]
    return { kind, ...(numbers.every((type) => type.options) && { options }) }
  }
  // Any text is one of them.
  if (types.every(isText) && types.some(({ kind }) => kind === 'string')) return TEXT
  const text = JSON.stringify(first)
  return types.every((type) => JSON.stringify(type) === text) ? first : undefined
}

/** Is it written as text, and sent as it is written? */
function isText({ kind }: Type): boolean {
  return kind === 'string' || kind === 'select' || kind === 'uuid'
}

/** A list, where a single element may stand for it; undefined if these are other types. */
export function listOf(types: readonly Type[]): Type | undefined {
  const lists = types.filter((type) => type.kind === 'array')
  const [list] = lists
  if (!list || lists.length > 1) return undefined
  const items = commonType([list.items, ...types.filter((type) => type !== list)])
  return items && JSON.stringify(items) === JSON.stringify(list.items) ? list : undefined
}

/** The formats whose texts are bytes. */
const BYTES: ReadonlySet<string> = new Set(['binary', 'byte', 'base64'])

function textType(format: string): Type {
  return BYTES.has(format) ? { kind: 'blob' } : (textTypeOf(format) ?? TEXT)
}
