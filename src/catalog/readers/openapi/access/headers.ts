import type { Json } from '../../../../base/canonical.ts'
import { scalarText } from '../../../../base/json.ts'
import type { View } from '../schema/view.ts'
import type { DocumentParameter } from '../source/operation.ts'

/** Headers that hold a credential and nothing else. */
const CREDENTIALS = new Set(['authorization', 'x-api-key', 'api-key', 'x-auth-token', 'x-access-token'])

/** Is the parameter a credential? It is no argument then: an agent has no secrets. */
export function isCredential({ in: place, name }: DocumentParameter): boolean {
  return place === 'header' && CREDENTIALS.has(name.toLowerCase())
}

/**
 * The version in a header like `Notion-Version`, where the document gives one: it is sent by itself, as an agent has no reason
 * to choose another.
 */
export function versionOf({ in: place, name, example }: DocumentParameter, view: View): Json | undefined {
  if (place !== 'header' || !/version$/i.test(name)) return undefined
  const only = view.options?.length === 1 ? view.options[0] : undefined
  const given = only ?? view.fallback ?? example ?? view.example
  const text = given === undefined ? undefined : scalarText(given)
  // Some documents have placeholders of other tools there: `{{VERSION}}`, `<version>`.
  return text !== undefined && /^[\w.+-]+$/.test(text) ? given : undefined
}
