import type { ExactJson, Json } from '../../../base/canonical.ts'
import { child, isList, isRecord, recordOf, scalarText } from '../../../base/json.ts'
import type { AbiParameter } from '../../../catalog/evm/operation.ts'
import type { Type } from '../../../catalog/model.ts'

/** A value of a call as the codec takes it, with whole numbers as bigints, or why it is none: a clause. */
type Converted = { readonly value: unknown } | { readonly misfit: string }

export function toAbi(parameter: AbiParameter, value: ExactJson | undefined): Converted {
  const element = elementOf(parameter)
  if (element)
    return isList(value) ? all(value.map((held) => toAbi(element, held))) : misfit(parameter, 'a list')
  if (parameter.type === 'tuple')
    return all((parameter.components ?? []).map((part, at) => toAbi(part, partOf(value, part, at))))
  if (parameter.type === 'bool')
    return typeof value === 'boolean' ? { value } : misfit(parameter, '`true` or `false`')
  const text = scalarText(value) ?? ''
  if (/^u?int/.test(parameter.type))
    return /^-?\d{1,78}$/.test(text) ? { value: BigInt(text) } : misfit(parameter, 'a whole number')
  if (parameter.type === 'address')
    return /^0x[\da-f]{40}$/i.test(text) ? { value: text } : misfit(parameter, '0x and 40 hexadecimal digits')
  if (parameter.type.startsWith('bytes'))
    return /^0x(?:[\da-f]{2})*$/i.test(text) ? { value: text } : misfit(parameter, '0x and hexadecimal bytes')
  return scalarText(value) === undefined ? misfit(parameter, 'a text') : { value: text }
}

function elementOf(parameter: AbiParameter): AbiParameter | undefined {
  const [, type] = /^(.*)\[\d*\]$/.exec(parameter.type) ?? []
  return type === undefined ? undefined : { ...parameter, type }
}

function partOf(
  value: ExactJson | undefined,
  { name = '' }: AbiParameter,
  at: number,
): ExactJson | undefined {
  return isList(value) ? value[at] : isRecord(value) ? child(value, name) : undefined
}

function all(parts: readonly Converted[]): Converted {
  const wrong = parts.find((part) => 'misfit' in part)
  return wrong ?? { value: parts.map((part) => ('value' in part ? part.value : null)) }
}

function misfit({ name, type }: AbiParameter, wanted: string): Converted {
  return { misfit: `${name === undefined || name === '' ? `the ${type}` : `\`${name}\``} must be ${wanted}` }
}

/**
 * A decoded value as a row holds it: whole numbers with all their digits, as text where the field is a text or a double
 * cannot hold them.
 */
export function fromAbi(value: unknown, type: Type | undefined): Json {
  if (typeof value === 'bigint' || typeof value === 'number') {
    const isExact = Number.isSafeInteger(Number(value))
    return type?.kind !== 'string' && isExact ? Number(value) : String(value)
  }
  if (Array.isArray(value))
    return value.map((held) => fromAbi(held, type?.kind === 'array' ? type.items : undefined))
  if (typeof value === 'object' && value !== null)
    return recordOf(Object.entries(value).map(([name, held]) => [name, fromAbi(held, undefined)]))
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}
