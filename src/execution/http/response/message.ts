import type { Json } from '../../../base/canonical.ts'
import { child, isList, isRecord, scalarText } from '../../../base/json.ts'
import { oneLine } from '../../../base/text/one-line.ts'

/** The maximum length of an API's message in a problem. */
const MAX_DETAIL = 768

/** The most errors of a list that a message shows. */
const SHOWN = 5

/** The API's message, from any of its usual places: one visible line, capped. */
export function apiMessage(body: Json): string {
  return oneLine(messageOf(body), MAX_DETAIL)
}

function messageOf(body: Json): string {
  if (!isRecord(body)) return isList(body) ? listed(body) : (scalarText(body) ?? '')
  const message = textAt(body, ['message'])
  if (message !== undefined) return withDetails(message, body)
  const list = child(body, 'errorMessages')
  if (isList(list) && list.length > 0) return listed(list)
  const general = textAt(body, ['detail', 'title'])
  const errors = child(body, 'errors') ?? null
  if (errors !== null && (isList(errors) || isRecord(errors)))
    return general === undefined ? listed(errorsOf(errors)) : withDetails(general, body)
  const error = child(body, 'error') ?? null
  if (isRecord(error)) return withDetails(errorText(error), error)
  if (error !== null) return listed([error, child(body, 'error_description') ?? ''])
  const detail = child(body, 'detail') ?? null
  if (isList(detail)) return listed(detail)
  return general ?? textAt(body, ['msg', 'reason']) ?? (Object.keys(body).length === 0 ? '' : shortJson(body))
}

/** A general message with the errors that the API lists below it. */
function withDetails(message: string, body: Json): string {
  const texts = errorsOf(child(body, 'errors') ?? null)
    .slice(0, SHOWN)
    .map(errorText)
  const details = [...new Set(texts)].filter((text) => text !== '' && !message.includes(text))
  return details.length === 0 ? message : `${message} (${details.join('; ')})`
}

/** Errors as a list: of an object that has them by their place, texts. */
function errorsOf(errors: Json): readonly Json[] {
  if (isList(errors)) return errors
  if (!isRecord(errors)) return []
  return Object.entries(errors).map(
    ([place, held]) => `${place}: ${isList(held) ? held.map(errorText).join(', ') : errorText(held)}`,
  )
}

function listed(parts: readonly Json[]): string {
  return parts
    .slice(0, SHOWN)
    .map(errorText)
    .filter((text) => text !== '')
    .join('; ')
}

/** One error: what is wrong, after the place of it. */
function errorText(error: Json): string {
  const text = textAt(error, ['message', 'msg', 'detail', 'title', 'reason', 'description'])
  if (text === undefined) return error === null ? '' : (scalarText(error) ?? shortJson(error))
  const place = placeOf(error)
  return place === undefined || text.includes(place) ? text : `${place}: ${text}`
}

/** The member of the request that an error is about, in the names of problem documents, JSON:API and the usual frameworks. */
function placeOf(error: Json): string | undefined {
  const source = child(error, 'source') ?? null
  const place = textAt(error, ['pointer', 'field', 'param', 'parameter', 'property'])
  const steps = child(error, 'loc') ?? child(error, 'field') ?? null
  const named = place ?? textAt(source, ['pointer', 'parameter', 'header'])
  if (named !== undefined || !isList(steps)) return named
  return steps.map((step) => scalarText(step) ?? '').join('.')
}

/** The first of these members that is a text. */
function textAt(value: Json, names: readonly string[]): string | undefined {
  for (const name of names) {
    const held = child(value, name)
    if (typeof held === 'string' && held !== '') return held
  }
  return undefined
}

function shortJson(value: Json): string {
  return JSON.stringify(value).slice(0, MAX_DETAIL)
}
