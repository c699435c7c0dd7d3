import type { Json } from '../../../base/canonical.ts'
import { isMisspelt, nearest } from '../../../base/suggest.ts'
import type { Fix, Span } from '../../../base/diagnostic.ts'
import { BLOB_PARTS } from '../../../catalog/values/blob.ts'
import type { Type, Variant } from '../../../catalog/model.ts'
import { isRecord } from '../../../base/json.ts'
import { describeType, variantNamed } from '../../../catalog/values/value.ts'
import { problem } from '../../problems.ts'
import type { Entry, Value } from '../../syntax/tree.ts'
import type { CheckedValue, Want } from '../model/checked.ts'
import { listed, nameAt, type Context } from '../model/context.ts'
import { refusesExpressionText } from './expression-text.ts'
import { severalFix } from './several-fix.ts'
import { refusesRowsBraces, refusesRowsText } from './rows-as-value.ts'
import { interpolate } from './interpolate.ts'
import { checkReference } from './references.ts'
import { refusesFlow } from './flow.ts'
import { resolveRowValue, type RowValue } from './row-values.ts'
import { fitLiteral, listOf, recordOf } from './literal.ts'
import { wantOf } from '../model/want.ts'

/** The value converted to the slot's type. Literals are converted now, row values as far as types decide; undefined after reporting a problem. */
export function checkValue(context: Context, value: Value, want: Want): CheckedValue | undefined {
  switch (value.kind) {
    case 'hole':
      return { kind: 'hole' }
    case 'text':
      return checkText(context, value, want)
    case 'number':
      return checkNumber(context, value, want)
    case 'bare':
    case 'path':
      return checkWord(context, value, want)
    case 'list':
      return checkList(context, value, want)
    case 'object':
      return checkObject(context, value, want)
    case 'call':
      return checkReference(context, value, want)
    case 'constructor':
      return checkConstructor(context, value, want)
  }
}

function checkNumber(
  context: Context,
  value: Extract<Value, { kind: 'number' }>,
  want: Want,
): CheckedValue | undefined {
  const { type } = want
  if (type.kind !== 'json') return fitLiteral(context, asWrittenNumber(value.text), value.span, want)
  const number = type.of && looseNumber(value.text)
  // Digits beyond the exact numbers are an integer, which is checked when the program runs.
  return typeof number === 'number'
    ? fitLiteral(context, number, value.span, want)
    : looseValue(context, value)
}

function checkText(
  context: Context,
  value: Extract<Value, { kind: 'text' }>,
  want: Want,
): CheckedValue | undefined {
  const text = interpolate(context, value)
  return typeof text === 'string' ? fitLiteral(context, text, value.span, want) : text
}

function checkWord(
  context: Context,
  value: Extract<Value, { kind: 'bare' | 'path' }>,
  want: Want,
): CheckedValue | undefined {
  const holder = isOption(context, value.text, want.type) ? undefined : resolveRowValue(context, value)
  if (holder === 'broken') return undefined
  if (holder) {
    if (refusesFlow(context, holder, want)) return undefined
    return want.type.kind === 'json' ? looseHeld(holder) : holder.value
  }
  if (refusesRowsText(context, value, want)) return undefined
  if (value.kind === 'bare' && refusesExpressionText(context, value, want.name)) return undefined
  if (value.text === 'null' && !isOption(context, value.text, want.type)) {
    if (want.required && want.type.kind !== 'json') return mismatch(context, want, 'null', value.span)
    return { kind: 'literal', value: null }
  }
  return fitLiteral(context, wordOf(value.text, want.type), value.span, want)
}

/**
 * Whether the text is an option of the slot. An option wins over a label of the same name, unless that label holds computed
 * rows.
 */
function isOption({ labels }: Context, text: string, type: Type): boolean {
  if ((type.kind !== 'select' && type.kind !== 'multi_select') || !type.options.includes(text)) return false
  const bound = labels.get(text)
  return !bound || bound.rows.target !== undefined
}

/** A bare word is text, except in a JSON slot. */
function wordOf(text: string, type: Type): Json {
  if (type.kind !== 'json') return text
  return text === 'true' ? true : text === 'false' ? false : text
}

/** A number if it round-trips to the same text and is exact, else the text: ids keep their digits. */
function asWrittenNumber(text: string): number | string {
  const number = looseNumber(text)
  return String(number) === text ? number : text
}

/** A number without a slot type: kept as text where conversion would lose digits. */
function looseNumber(text: string): number | string {
  const number = Number(text)
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))
    ? number
    : text
}

function looseNumeral(text: string): CheckedValue {
  const value = looseNumber(text)
  const literal: CheckedValue = { kind: 'literal', value }
  return typeof value === 'string' ? { kind: 'integer', value: literal } : literal
}

/** A row value without a slot type: digits that rows hold as text are a number if their own type says so. */
function looseHeld({ value, spot }: RowValue): CheckedValue {
  const isNumber = spot.type.kind === 'integer' || spot.type.kind === 'number'
  return isNumber ? { kind: 'integer', value } : value
}

function checkList(
  context: Context,
  value: Extract<Value, { kind: 'list' }>,
  want: Want,
): CheckedValue | undefined {
  const { type } = want
  if (type.kind === 'json' && !type.of) return looseValue(context, value)
  const items: Type | undefined =
    type.kind === 'array'
      ? type.items
      : type.kind === 'multi_select'
        ? { kind: 'select', options: type.options }
        : undefined
  if (!items) return mismatch(context, want, 'a list', value.span, severalFix(context, value, want))
  const brands = items.kind === 'reference' ? [`${want.owner.catalog.id} ${items.entity}`] : []
  return listOf(
    value.items.map((item) => checkValue(context, item, { ...want, type: items, brands, required: true })),
  )
}

function checkObject(
  context: Context,
  value: Extract<Value, { kind: 'object' }>,
  want: Want,
): CheckedValue | undefined {
  const { type } = want
  const tagged = type.kind === 'union' ? taggedEntries(value, type) : undefined
  if (tagged) return checkVariant(context, tagged.rest, tagged.variant, want)
  switch (type.kind) {
    case 'json':
      return type.of ? mismatch(context, want, 'an object', value.span) : looseValue(context, value)
    case 'array':
      return listOf([checkValue(context, value, { ...want, type: type.items })])
    case 'object':
      return checkFields(context, value, type, want)
    case 'blob':
      return checkFields(context, value, { fields: BLOB_PARTS, open: false }, want)
    case 'reference': {
      const args = { positional: [], named: value.entries, span: value.span }
      const name = { text: type.entity, span: value.span }
      return checkReference(context, { kind: 'call', name, arguments: args, span: value.span }, want)
    }
    default: {
      const loose = looseValue(context, value)
      if (loose?.kind === 'literal') return fitLiteral(context, loose.value, value.span, want)
      return loose && mismatch(context, want, 'an object', value.span)
    }
  }
}

/** The variant that an object names by its tag, and the object without it. */
function taggedEntries(
  { entries, span }: Extract<Value, { kind: 'object' }>,
  { variants }: Extract<Type, { kind: 'union' }>,
): { readonly variant: Variant; readonly rest: Braces } | undefined {
  for (const entry of entries) {
    const { value } = entry
    const word = value.kind === 'bare' ? value.text : value.kind === 'text' ? value.value : undefined
    const variant = variants.find(({ tag }) => tag.field === entry.name.text && tag.value === word)
    if (variant) return { variant, rest: { entries: entries.filter((one) => one !== entry), span } }
  }
  return undefined
}

interface Braces {
  readonly entries: readonly Entry[]
  readonly span: Span
}

type FieldsOf = Omit<Extract<Type, { kind: 'object' }>, 'kind'>

function checkFields(
  context: Context,
  { entries, span }: Braces,
  { fields, open, undeclared }: FieldsOf,
  want: Want,
): CheckedValue | undefined {
  const names = fields.map((field) => field.name)
  const checked: (readonly [string, CheckedValue | undefined])[] = []
  for (const entry of entries) {
    const name = context.scope.space.meaning(entry.name.text)
    const wire = name?.kind === 'slot' && names.includes(name.slot) ? name.slot : entry.name.text
    const field = fields.find((one) => one.name === wire)
    if (checked.some(([known]) => known === wire)) {
      context.report(problem('duplicate_argument', { name: wire }, { span: entry.name.span }))
    } else if (field) {
      checked.push([wire, checkValue(context, entry.value, wantOf(want.owner, field))])
    } else if (open || (undeclared && !isMisspelt(wire, names))) {
      checked.push([wire, looseValue(context, entry.value)])
    } else {
      context.report(() =>
        problem(
          'unknown_argument',
          { name: wire, of: want.name, known: listed(names) },
          nameAt(entry.name.span, wire, names),
        ),
      )
    }
  }
  // A misspelt name is reported as unknown, not also as missing.
  const isWrittenWrong = (name: string) =>
    entries.some((entry) => !names.includes(entry.name.text) && nearest(entry.name.text, [name]).length > 0)
  const missing = fields.filter(
    ({ name, required }) => required && !checked.some(([given]) => given === name) && !isWrittenWrong(name),
  )
  if (missing.length > 0 && !context.teaching) {
    const list = missing.map((field) => `\`${field.name}\` (${describeType(field.type)})`)
    context.report(problem('missing_argument', { of: want.name, missing: list }, { span }))
    return undefined
  }
  return recordOf(checked)
}

function checkConstructor(
  context: Context,
  value: Extract<Value, { kind: 'constructor' }>,
  want: Want,
): CheckedValue | undefined {
  const { type } = want
  if (type.kind === 'array') return listOf([checkValue(context, value, { ...want, type: type.items })])
  const variants = type.kind === 'union' ? type.variants : []
  const variant = type.kind === 'union' ? variantNamed(type, value.name.text) : undefined
  if (!variant && refusesRowsBraces(context, value, want)) return undefined
  if (!variant) {
    const known = variants.map((one) => one.name)
    const place = nameAt(value.name.span, value.name.text, known)
    context.report(
      problem('unknown_variant', { name: value.name.text, slot: want.name, known: listed(known) }, place),
    )
    return undefined
  }
  return checkVariant(context, value, variant, want)
}

/** The fields of one variant of a union; the tag is not among them. */
function checkVariant(
  context: Context,
  value: Braces,
  variant: Variant,
  want: Want,
): CheckedValue | undefined {
  const fields = variant.fields.filter((field) => field.name !== variant.tag.field)
  const { undeclared } = variant
  const type = { fields, open: false, ...(undeclared && { undeclared }) }
  const record = checkFields(context, value, type, { ...want, name: `\`${variant.name}\`` })
  const tag: readonly [string, CheckedValue] = [
    variant.tag.field,
    { kind: 'literal', value: variant.tag.value },
  ]
  if (record?.kind === 'record') return recordOf([tag, ...record.entries])
  if (record?.kind !== 'literal') return record
  return {
    kind: 'literal',
    value: { [variant.tag.field]: variant.tag.value, ...(isRecord(record.value) ? record.value : {}) },
  }
}

/** A value without a declared type: JSON as written, row values kept. */
export function looseValue(context: Context, value: Value): CheckedValue | undefined {
  switch (value.kind) {
    case 'hole':
      return { kind: 'hole' }
    case 'text': {
      const text = interpolate(context, value)
      return typeof text === 'string' ? { kind: 'literal', value: text } : text
    }
    case 'number':
      return looseNumeral(value.text)
    case 'bare':
    case 'path': {
      const holder: RowValue | 'broken' | undefined = resolveRowValue(context, value)
      if (holder === 'broken') return undefined
      if (holder) return looseHeld(holder)
      if (value.kind === 'bare' && refusesExpressionText(context, value, 'this value')) return undefined
      return {
        kind: 'literal',
        value: value.text === 'null' ? null : wordOf(value.text, { kind: 'json' }),
      }
    }
    case 'list':
      return listOf(value.items.map((item) => looseValue(context, item)))
    case 'object':
      return recordOf(
        value.entries.map((entry) => [entry.name.text, looseValue(context, entry.value)] as const),
      )
    case 'call':
      return checkReference(context, value, undefined)
    case 'constructor':
      context.report(
        problem(
          'unknown_variant',
          { name: value.name.text, slot: 'this value', known: [] },
          { span: value.name.span },
        ),
      )
      return undefined
  }
}

function mismatch(context: Context, want: Want, actual: string, span: Span, fix?: Fix): undefined {
  const { name: slot, type, once } = want
  const params = { slot, expected: describeType(type), actual, ...(once && { once }) }
  context.report(problem('value_mismatch', params, { span, ...(fix && { fix }) }))
}
