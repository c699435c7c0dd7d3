import type { ExactJson } from '../../../base/canonical.ts'
import { isList, isRecord } from '../../../base/json.ts'
import type { PairStyle } from '../../../catalog/calls/http-request.ts'
import { asText } from './text.ts'

type Pairs = readonly (readonly [string, ExactJson])[]

/** The keys and values that an object is written as; any other value stands under its own key. */
export function pairsOf(key: string, value: ExactJson, style: PairStyle): Pairs {
  if (style === 'brackets') return bracketed(key, value)
  if (!isRecord(value)) return [[key, value]]
  const members: Pairs = Object.entries(value)
  if (style === 'bare') return members
  return [[key, members.flatMap(([name, held]) => [name, asText(held)]).join(',')]]
}

/** `key[member]`, `key[]` for each of several values, and `key[0]` where an object stands in a list. */
function bracketed(key: string, value: ExactJson): Pairs {
  if (isRecord(value))
    return Object.entries(value).flatMap(([name, held]) => bracketed(`${key}[${name}]`, held))
  if (!isList(value)) return [[key, value]]
  if (!value.some((item) => isRecord(item) || isList(item)))
    return value.length === 0 ? [] : [[`${key}[]`, value]]
  return value.flatMap((item, index) => bracketed(`${key}[${index}]`, item))
}
