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

/** A version of an API as requests name it, rather than one of the document: `2024-10-01`, `2024-10-01-preview`, `1.0`. */
const NAMED_VERSION = /^(?:\d{4}-\d{2}-\d{2}(?:-\w+)?|\d+(?:\.\d+)?)$/

/**
 * The version in a header like `Notion-Version`, or in a required parameter like `api-version`, where the document gives one:
 * it is sent by itself, as an agent has no reason to choose another.
 *
 * @param apiVersion the version that the document states of the whole API, for a parameter that says nothing of its own
 */
export function versionOf(
  { in: place, name, isRequired, example }: DocumentParameter,
  view: View,
  apiVersion: string | undefined,
): Json | undefined {
  const isHeader = place === 'header' && /version$/i.test(name)
  const isInQuery = place === 'query' && isRequired && /^api[-_]?version$/i.test(name)
  if (!isHeader && !isInQuery) return undefined
  const only = view.options?.length === 1 ? view.options[0] : undefined
  const said = only ?? view.fallback ?? example ?? view.example
  const isStated = isInQuery && view.options === undefined && NAMED_VERSION.test(apiVersion ?? '')
  const given = said ?? (isStated ? apiVersion : undefined)
  const text = given === undefined ? undefined : scalarText(given)
  // Some documents have placeholders of other tools there: `{{VERSION}}`, `<version>`.
  return text !== undefined && /^[\w.+-]+$/.test(text) ? given : undefined
}
