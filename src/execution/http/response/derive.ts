import type { Json } from '../../../base/canonical.ts'
import type { Derive } from '../../../catalog/model.ts'
import { child, isList, isRecord } from '../../../base/json.ts'

/** A field's value by its rule; undefined if the rule does not match. */
export function derived(rule: Derive, value: Json): Json | undefined {
  switch (rule.type) {
    case 'segment_after_prefix':
      return segmentAfter(rule.prefixes, rule.index, value)
    case 'lookup_in_pairs': {
      const pairs = isList(value) ? value : []
      const pair = pairs.find((one) => sameText(child(one, rule.nameField), rule.equals, rule.ignoreCase))
      return child(pair, rule.valueField) ?? null
    }
    case 'lookup_key': {
      if (!isRecord(value)) return null
      const key = Object.keys(value).find((one) => sameText(one, rule.key, rule.ignoreCase))
      return key === undefined ? null : child(value, key)
    }
    case 'colon_pair':
      return colonPair(rule, value)
  }
}

/** The first `segment:next` among texts with colons; else the first of the preferred texts, whole. */
function colonPair(
  { keys, list, field, segment }: Extract<Derive, { type: 'colon_pair' }>,
  value: Json,
): Json {
  const preferred = keys.flatMap((key) => textAt(value, key))
  const held = child(value, list)
  const others = isList(held) ? held.flatMap((one) => textAt(one, field)) : []
  const [pair] = [...preferred, ...(preferred.length > 0 ? [] : others)].flatMap((text) =>
    pairIn(text, segment),
  )
  return pair ?? preferred[0] ?? null
}

function textAt(value: Json, key: string): readonly string[] {
  const text = child(value, key)
  return typeof text === 'string' && text !== '' ? [text] : []
}

function pairIn(text: string, segment: string): readonly string[] {
  const parts = text.split(':')
  const next = parts[parts.indexOf(segment) + 1]
  return parts.includes(segment) && next ? [`${segment}:${next}`] : []
}

/** `https://host/owner/repo.git` after the prefix `https://host/`: `owner`, `repo`. */
function segmentAfter(prefixes: readonly string[], index: number, value: Json): string | undefined {
  if (typeof value !== 'string') return undefined
  const prefix = prefixes.find((one) => value.startsWith(one))
  if (prefix === undefined) return undefined
  const parts = value
    .slice(prefix.length)
    .split('/')
    .filter((part) => part !== '')
  return parts[index]?.replace(/\.git$/, '')
}

function sameText(value: Json | undefined, wanted: string, ignoreCase: boolean): boolean {
  return (
    typeof value === 'string' &&
    (ignoreCase ? value.toLowerCase() === wanted.toLowerCase() : value === wanted)
  )
}
