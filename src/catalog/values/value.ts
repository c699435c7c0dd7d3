import type { ExactJson } from '../../base/canonical.ts'
import { child, isRecord } from '../../base/json.ts'
import { nearest } from '../../base/suggest.ts'
import { BLOB_WANTED, isBase64 } from './blob.ts'
import { encodeDate } from './date.ts'
import { parseExact } from './exact.ts'
import { isListed, isOf } from './listed.ts'
import { describeType, describeValue, namesOf } from '../describe.ts'
import type { Parameter, Slot, Type, Variant } from '../model.ts'

export { describeType, describeValue } from '../describe.ts'

/** The context of fitting a value, besides the type. */
export interface Fitting {
  /** Milliseconds since the epoch. Without it, relative dates remain words. */
  readonly now?: number
  /** The key slots, in order, of an entity that the type refers to; undefined if the entity is unknown. */
  readonly keyOf?: (entity: string) => readonly Slot[] | undefined
}

export type Fitted =
  /** `relative`: contains words like `yesterday`; fit it again when the time is known. */
  | { readonly ok: true; readonly value: ExactJson; readonly relative?: true }
  | {
      readonly ok: false
      /** The expected type, in the notation of `describeType`. */
      readonly expected: string
      /** A short description of the actual value. */
      readonly actual: string
      /** The place inside the value (`[2].street`); empty for the value itself. */
      readonly path: string
      readonly nearest?: readonly string[]
    }

/** Deeper values are refused: nothing that an agent writes by hand nests so far. */
const MAX_DEPTH = 64
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const INTEGER = /^[+-]?\d{1,1024}$/
const NUMBER = /^[+-]?(?:\d{1,512}(?:\.\d{0,512})?|\.\d{1,512})(?:e[+-]?\d{1,4})?$/i

/**
 * Fits a value to the type of its slot: values of programs before any call, and values of holes at run time. Numbers and
 * text convert into each other if nothing is lost; a scalar becomes a list of one if a list is expected; a row becomes its
 * identity. Fitting is idempotent. `null` fits only `json`: callers check optional values first.
 */
export function coerce(type: Type, value: ExactJson, fitting: Fitting = {}): Fitted {
  return fit(type, value, { fitting, path: '', depth: 0 })
}

/** The place of a part inside the whole value. */
interface At {
  readonly fitting: Fitting
  /** As in a failure: `[2].street`. */
  readonly path: string
  readonly depth: number
}

/** One level deeper, at the same path or at another. */
function inside(at: At, path = at.path): At {
  return { fitting: at.fitting, path, depth: at.depth + 1 }
}

/** The path of a field. */
function fieldPath({ path }: At, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function fit(type: Type, given: ExactJson, at: At): Fitted {
  const { path, depth } = at
  // Slots of a declared type hold such digits as text, and are sent as numbers where they are numbers.
  const value = typeof given === 'bigint' && type.kind !== 'json' ? String(given) : given
  if (depth > MAX_DEPTH) return { ok: false, expected: `at most ${MAX_DEPTH} levels`, actual: 'more', path }
  switch (type.kind) {
    case 'string':
      return fitText(type, value, path, type.semantics === 'json_text')
    case 'blob':
      return fitBlob(value, path)
    case 'uuid':
      return typeof value === 'string' && UUID.test(value) ? good(value) : bad(type, value, path)
    case 'integer':
      return oneOf(type, fitInteger(type, value, path), value, path)
    case 'number':
      return oneOf(type, fitNumber(type, value, path), value, path)
    case 'boolean':
      return fitBoolean(type, value, path)
    case 'json':
      return fitJson(type, value, path)
    case 'select':
      return fitOption(type.options, type, value, path)
    case 'multi_select':
      return fitItems(type, { kind: 'select', options: type.options }, value, at)
    case 'date':
      return fitDate(type, value, at)
    case 'reference':
      return fitReference(type, value, at)
    case 'array':
      return fitItems(type, type.items, value, at)
    case 'object':
      return isRecord(value)
        ? fitFields(type.fields, type.open || type.undeclared === true, value, at)
        : reparsed(type, value, at)
    case 'union':
      return fitUnion(type, value, at)
  }
}

function good(value: ExactJson): Fitted {
  return { ok: true, value }
}

function bad(type: Type, value: ExactJson, path: string, near: readonly string[] = []): Fitted {
  const failure = { ok: false, expected: describeType(type), actual: describeValue(value), path } as const
  return near.length === 0 ? failure : { ...failure, nearest: near }
}

function fitText(type: Type, value: ExactJson, path: string, structured: boolean): Fitted {
  if (typeof value === 'string') return good(value)
  if (typeof value === 'number') return good(String(value))
  return structured && value !== null && typeof value === 'object'
    ? good(JSON.stringify(value))
    : bad(type, value, path)
}

function fitBlob(value: ExactJson, path: string): Fitted {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text === 'string' && isBase64(text)) return good(text)
  const written = isRecord(value) && Object.keys(value).length === 1 ? child(value, 'text') : undefined
  if (typeof written === 'string') return good(value)
  return { ok: false, expected: BLOB_WANTED, actual: describeValue(value), path }
}

function fitInteger(type: Type, value: ExactJson, path: string): Fitted {
  if (typeof value === 'number' && Number.isInteger(value))
    return good(Number.isSafeInteger(value) ? value : String(BigInt(value)))
  if (typeof value !== 'string') return bad(type, value, path)
  const digits = value.trim().replace(/\.0*$/, '')
  if (!INTEGER.test(digits)) return bad(type, value, path)
  // Beyond 2^53 a number would change its digits, so it stays text.
  return good(Number.isSafeInteger(Number(digits)) ? Number(digits) : digits.replace(/^\+/, ''))
}

function fitNumber(type: Type, value: ExactJson, path: string): Fitted {
  if (typeof value === 'number') return good(value)
  if (typeof value !== 'string' || !NUMBER.test(value.trim())) return bad(type, value, path)
  const number = Number(value.trim())
  if (!Number.isFinite(number)) return bad(type, value, path)
  return good(Number.isInteger(number) && !Number.isSafeInteger(number) ? value.trim() : number)
}

/** A number that fits, if its type lists no options or it is one of them. */
function oneOf(
  type: Extract<Type, { kind: 'integer' | 'number' }>,
  fitted: Fitted,
  value: ExactJson,
  path: string,
): Fitted {
  return !fitted.ok || isListed(type.options, fitted.value) ? fitted : bad(type, value, path)
}

function fitBoolean(type: Type, value: ExactJson, path: string): Fitted {
  if (typeof value === 'boolean') return good(value)
  const word = typeof value === 'string' ? value.trim().toLowerCase() : ''
  return word === 'true' ? good(true) : word === 'false' ? good(false) : bad(type, value, path)
}

function fitJson(type: Extract<Type, { kind: 'json' }>, value: ExactJson, path: string): Fitted {
  if (type.of && value !== null)
    return type.of.some((one) => isOf(one, value)) ? good(value) : bad(type, value, path)
  if (typeof value !== 'string') return good(value)
  const parsed = structure(value)
  if (parsed !== undefined) return good(parsed)
  return type.text ? good(value) : bad(type, value, path)
}

function fitOption(options: readonly string[], type: Type, value: ExactJson, path: string): Fitted {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return bad(type, value, path)
  return options.includes(text) ? good(text) : bad(type, value, path, nearest(text, options))
}

function fitDate(type: Extract<Type, { kind: 'date' }>, value: ExactJson, { fitting, path }: At): Fitted {
  if (typeof value !== 'string' && typeof value !== 'number') return bad(type, value, path)
  const encoded = encodeDate(String(value), type.format, fitting.now)
  if (!encoded) return bad(type, value, path)
  return { ok: true, ...encoded, ...(type.text && { value: String(encoded.value) }) }
}

function fitItems(type: Type, items: Type, value: ExactJson, at: At): Fitted {
  const { path } = at
  const parsed = typeof value === 'string' ? structure(value) : undefined
  const list = Array.isArray(parsed) ? parsed : Array.isArray(value) ? value : undefined
  if (!list) {
    const single = fit(items, value, inside(at))
    return single.ok
      ? { ...single, value: [single.value] }
      : { ...single, expected: single.path === path ? describeType(type) : single.expected }
  }
  const fitted: ExactJson[] = []
  let relative = false
  for (const [index, item] of (list as readonly ExactJson[]).entries()) {
    const one = fit(items, item, inside(at, `${path}[${index}]`))
    if (!one.ok) return one
    relative ||= one.relative === true
    fitted.push(one.value)
  }
  return { ok: true, value: fitted, ...(relative && { relative }) }
}

function fitFields(
  fields: readonly Parameter[],
  open: boolean,
  value: Readonly<Record<string, ExactJson>>,
  at: At,
): Fitted {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const fitted: [string, ExactJson][] = []
  let relative = false
  for (const [name, held] of Object.entries(value)) {
    const field = byName.get(name)
    const inner = fieldPath(at, name)
    if (!field) {
      if (!open)
        return {
          ok: false,
          expected: namesOf(fields),
          actual: `\`${name}\``,
          path: inner,
          nearest: nearest(name, byName.keys()),
        }
      fitted.push([name, held])
      continue
    }
    if (held === null && (!field.required || field.nullable)) {
      fitted.push([name, null])
      continue
    }
    const one = fit(field.type, held, inside(at, inner))
    if (!one.ok) return one
    relative ||= one.relative === true
    fitted.push([name, one.value])
  }
  const missing = fields.find((field) => field.required && !Object.hasOwn(value, field.name))
  if (missing) {
    return {
      ok: false,
      expected: `\`${missing.name}\` (${describeType(missing.type)})`,
      actual: 'nothing',
      path: fieldPath(at, missing.name),
    }
  }
  return { ok: true, value: Object.fromEntries(fitted), ...(relative && { relative }) }
}

function fitReference(type: Extract<Type, { kind: 'reference' }>, value: ExactJson, at: At): Fitted {
  const { fitting, path } = at
  const key = fitting.keyOf?.(type.entity)
  if (isRecord(value)) return key ? identityOf(type, key, value, at) : good(value)
  if (typeof value !== 'string' && typeof value !== 'number') return bad(type, value, path)
  const text = String(value)
  if (!key) return good(text)
  const [only, second] = key
  if (only && !second) return fitKeyPart(only, value, at)
  const parts = text.split('/')
  // `owner/repo` is a key of two slots.
  if (key.length !== 2 || parts.length !== 2 || parts.includes('')) return bad(type, value, path)
  return identityOf(
    type,
    key,
    Object.fromEntries(key.map((slot, index) => [slot.name, parts[index] ?? ''])),
    at,
  )
}

function identityOf(
  type: Extract<Type, { kind: 'reference' }>,
  key: readonly Slot[],
  row: Readonly<Record<string, ExactJson>>,
  at: At,
): Fitted {
  const full = row['full_name']
  const missing = key.find((slot) => !isScalar(child(row, slot.name)))
  if (missing) {
    if (
      key.length === 2 &&
      typeof full === 'string' &&
      !Object.keys(row).some((name) => key.some((slot) => slot.name === name))
    ) {
      return fitReference(type, full, at)
    }
    return {
      ok: false,
      expected: `${type.entity} with ${key.map((slot) => `\`${slot.name}\``).join(', ')}`,
      actual: describeValue(row),
      path: at.path,
    }
  }
  const parts: [string, ExactJson][] = []
  for (const slot of key) {
    const part = fitKeyPart(slot, child(row, slot.name) ?? '', { ...at, path: fieldPath(at, slot.name) })
    if (!part.ok) return part
    parts.push([slot.name, part.value])
  }
  const only = parts.length === 1 ? parts[0] : undefined
  return good(only ? only[1] : Object.fromEntries(parts))
}

/** A part of a key is a scalar, even where the slot itself refers to a third entity. */
function fitKeyPart(slot: Slot, value: ExactJson, at: At): Fitted {
  if (slot.type.kind === 'reference' || slot.type.kind === 'json')
    return typeof value === 'number'
      ? good(String(value))
      : typeof value === 'string'
        ? good(value)
        : bad(slot.type, value, at.path)
  return fit(slot.type, value, inside(at))
}

function fitUnion(type: Extract<Type, { kind: 'union' }>, value: ExactJson, at: At): Fitted {
  if (!isRecord(value)) return reparsed(type, value, at)
  const tagged = type.variants.find((variant) => child(value, variant.tag.field) === variant.tag.value)
  if (tagged) {
    const { [tagged.tag.field]: tag, ...fields } = value
    return withTag(
      tagged,
      fitFields(fieldsOf(tagged), tagged.undeclared === true, fields, at),
      tag ?? tagged.tag.value,
    )
  }
  const [name, ...others] = Object.keys(value)
  const variant = name === undefined || others.length > 0 ? undefined : variantNamed(type, name)
  const fields = name === undefined ? undefined : value[name]
  if (!variant || !isRecord(fields))
    return bad(
      type,
      value,
      at.path,
      name === undefined
        ? []
        : nearest(
            name,
            type.variants.map((one) => one.name),
          ),
    )
  return withTag(
    variant,
    fitFields(fieldsOf(variant), variant.undeclared === true, fields, at),
    variant.tag.value,
  )
}

/** The tag may be declared as a field as well; it is written once. */
function fieldsOf(variant: Variant): readonly Parameter[] {
  return variant.fields.filter((field) => field.name !== variant.tag.field)
}

function withTag(variant: Variant, fitted: Fitted, tag: ExactJson): Fitted {
  if (!fitted.ok || !isRecord(fitted.value)) return fitted
  return { ...fitted, value: { [variant.tag.field]: tag, ...fitted.value } }
}

/** The variant that a program calls by name, by the source's constructor symbol or by place (`u2`, from 1). */
export function variantNamed(type: Extract<Type, { kind: 'union' }>, name: string): Variant | undefined {
  const exact = type.variants.find((variant) => variant.constructorSymbol === name || variant.name === name)
  const place = /^u([1-9]\d{0,3})$/.exec(name)
  return exact ?? (place ? type.variants[Number(place[1]) - 1] : undefined)
}

/** Text that contains JSON is fitted as that JSON. */
function reparsed(type: Type, value: ExactJson, at: At): Fitted {
  const parsed = typeof value === 'string' ? structure(value) : undefined
  return isRecord(parsed) ? fit(type, parsed, inside(at)) : bad(type, value, at.path)
}

function structure(text: string): ExactJson | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  const parsed = parseExact(text)
  return isDeeper(parsed, MAX_DEPTH) ? undefined : parsed
}

function isDeeper(value: ExactJson | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((held) => isDeeper(held, levels - 1))
}

function isScalar(value: ExactJson | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number'
}
