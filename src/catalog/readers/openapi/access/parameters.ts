import type { Json } from '../../../../base/canonical.ts'
import { scalarText } from '../../../../base/json.ts'
import type { Auth } from '../../../auth/auth.ts'
import type { View } from '../schema/view.ts'
import type { DocumentParameter } from '../source/operation.ts'

/** Headers that hold a credential and nothing else. */
const CREDENTIALS = new Set(['authorization', 'x-api-key', 'api-key', 'x-auth-token', 'x-access-token'])

/** The names of tokens that go with each call, such as `token` and `access_token`; not those of pages. */
const TOKEN = /^(?:(?:access|auth|oauth|api)[-_]?)?token$/i
const SAYS_TOKEN = /\b(?:auth\w*|access|oauth|api) token\b/i

/** Is the parameter a header that holds a credential and nothing else? */
export function isCredentialHeader({ in: place, name }: DocumentParameter): boolean {
  return place === 'header' && CREDENTIALS.has(name.toLowerCase())
}

/**
 * Is the parameter a credential? It is no argument then: an agent has no secrets.
 *
 * @param auth the credential that the server itself puts into each call: a parameter may repeat it, or be another way to give it
 */
export function isCredential(parameter: DocumentParameter, auth: Auth): boolean {
  if (isCredentialHeader(parameter)) return true
  const { in: place, name, description = '' } = parameter
  if (auth.scheme === 'none') return false
  if (auth.scheme === 'api_key') return place === auth.in && name.toLowerCase() === auth.name.toLowerCase()
  return TOKEN.test(name) && SAYS_TOKEN.test(description)
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
