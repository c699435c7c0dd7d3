import type { Json } from '../../../base/canonical.ts'
import type { Fix, Span } from '../../../base/diagnostic.ts'
import { standsOut } from '../../../base/suggest.ts'
import { keptJson } from '../../../catalog/values/exact.ts'
import type { Type } from '../../../catalog/model.ts'
import { encodeDate } from '../../../catalog/values/date.ts'
import { coerce } from '../../../catalog/values/value.ts'
import { problem } from '../../problems.ts'
import type { CheckedValue, Want } from '../model/checked.ts'
import { listed, type Context } from '../model/context.ts'
import { fittingOf } from '../model/want.ts'

/** Words for days. `now` stays a word: its plan would be another one with every second. */
const DAY = /^\s*(?!now)[a-z0-9]/i

/** The literal converted to the slot's type; undefined after reporting a mismatch. */
export function fitLiteral(
  context: Context,
  literal: Json,
  span: Span,
  want: Want,
): CheckedValue | undefined {
  const { now } = context.scope
  const isDay = typeof literal === 'string' && DAY.test(literal)
  const fitted = coerce(want.type, literal, fittingOf(want.owner, isDay ? now : undefined))
  if (fitted.ok) return { kind: 'literal', value: keptJson(fitted.value) }
  // What is sent as JSON is a structure; what a place in JSON is compared with may be its text.
  if (want.type.kind === 'json' && context.comparing && !isStructure(literal))
    return { kind: 'literal', value: literal }
  const slot = fitted.path === '' ? want.name : `${want.name} at \`${fitted.path}\``
  const { type } = want
  const options = optionsOf(type)
  // No fix where two options are equally near.
  const meant = typeof literal === 'string' ? standsOut(literal, options) : undefined
  const place = {
    span,
    ...(fitted.nearest && { nearest: fitted.nearest }),
    ...(meant !== undefined && fitted.path === '' && { fix: { edits: [{ span, text: asWritten(meant) }] } }),
    ...(type.kind === 'blob' && typeof literal === 'string' && { fix: asText(span) }),
  }
  context.report(
    options.length > 0
      ? problem('not_an_option', { slot, options: listed(options).join(', '), actual: fitted.actual }, place)
      : problem(
          'value_mismatch',
          { slot, expected: fitted.expected, actual: fitted.actual, ...momentOf(type, literal, now) },
          place,
        ),
  )
  return undefined
}

function optionsOf(type: Type): readonly string[] {
  switch (type.kind) {
    case 'select':
    case 'multi_select':
      return type.options
    case 'integer':
    case 'number':
      return (type.options ?? []).map(String)
    default:
      return []
  }
}

/** Text that begins like an object or a list. */
function isStructure(literal: Json): boolean {
  return typeof literal === 'string' && /^\s*[[{]/.test(literal)
}

/** The moment of a date in the slot of a number. */
function momentOf(type: Type, literal: Json, now?: number): { readonly moment?: number } {
  if ((type.kind !== 'integer' && type.kind !== 'number') || typeof literal !== 'string') return {}
  const moment = encodeDate(literal, 'unix_ms', now)?.value
  return typeof moment === 'number' ? { moment } : {}
}

/** Text for a blob slot is wrapped in `{text: …}`. */
function asText({ start, end }: Span): Fix {
  const before = { span: { start, end: start }, text: '{text: ' }
  return { edits: [before, { span: { start: end, end }, text: '}' }] }
}

function asWritten(option: string): string {
  return /^[\w.-]+$/.test(option) ? option : JSON.stringify(option)
}

/** A list of values; a literal if all items are literals. */
export function listOf(items: readonly (CheckedValue | undefined)[]): CheckedValue | undefined {
  const known = items.filter((item) => item !== undefined)
  if (known.length < items.length) return undefined
  const literals = literalsIn(known)
  return literals ? { kind: 'literal', value: literals } : { kind: 'list', items: known }
}

/** A record of values; a literal if all values are literals. */
export function recordOf(
  entries: readonly (readonly [string, CheckedValue | undefined])[],
): CheckedValue | undefined {
  const known: (readonly [string, CheckedValue])[] = []
  for (const [name, value] of entries) {
    if (value === undefined) return undefined
    known.push([name, value])
  }
  const literals = literalsIn(known.map(([, value]) => value))
  return literals
    ? { kind: 'literal', value: Object.fromEntries(known.map(([name], at) => [name, literals[at] ?? null])) }
    : { kind: 'record', entries: known }
}

/** The literal values, or undefined if any value is not a literal. */
export function literalsIn(values: readonly { readonly kind: string }[]): readonly Json[] | undefined {
  const literals: Json[] = []
  for (const value of values) {
    if (!isLiteral(value)) return undefined
    literals.push(value.value)
  }
  return literals
}

function isLiteral(value: { readonly kind: string }): value is Extract<CheckedValue, { kind: 'literal' }> {
  return value.kind === 'literal'
}
