import type { ExactJson } from '../../../base/canonical.ts'
import { failed, ok, type Problem, type Result } from '../../../base/diagnostic.ts'
import type { Auxiliary, Expression, HttpRequest } from '../../../catalog/calls/http-request.ts'
import { type Invocation, whereOf } from '../../invocation.ts'
import { isList, isRecord, recordOf } from '../../../base/json.ts'
import { problem } from '../../problems.ts'
import type { UnaddressedCall } from '../../wire.ts'
import { environmentOf } from './environment.ts'
import { evaluate, type Filling } from './evaluate.ts'
import { targetOf } from './target.ts'
import { asText } from './text.ts'

type Pairs = readonly (readonly [string, string])[]

/**
 * The HTTP call for a request template and the invocation's arguments, or all that is wrong with them.
 *
 * @param request the capability's own, or the second request of its answer
 * @param session identifies the session, for templates that use it
 */
export function buildCall(
  invocation: Invocation,
  request: Auxiliary['request'] & Partial<Pick<HttpRequest, BodyKey | 'response'>>,
  session?: string,
): Result<UnaddressedCall> {
  const { capability } = invocation
  const where = whereOf(invocation)
  const missing = capability.parameters.filter(
    ({ name, required, nullable, type }) =>
      required &&
      (!invocation.arguments.has(name) ||
        (type.kind !== 'json' && !nullable && invocation.arguments.get(name) === null)),
  )
  const env = environmentOf(invocation, session)
  // A required argument may also have come as a slot of the row or of a compound reference.
  const absent = missing.filter(({ name }) => (env.get(name) ?? null) === null)
  if (absent.length > 0)
    return failed(absent.map(({ name }) => problem('argument_missing', { ...where, name })))

  const optional = new Set(capability.parameters.map(({ name }) => name))
  const nulls = new Set([...invocation.arguments].flatMap(([name, value]) => (value === null ? [name] : [])))
  const filling: Filling = { where, env, optional, nulls }
  const target = targetOf(request.path, filling)
  const query = pairs(request.query, filling)
  const headers = headerPairs(request.headers, filling)
  const added = [...invocation.arguments].filter(([name]) => request.openBody && !optional.has(name))
  const body = request.body === undefined ? ok(undefined) : bodyOf(request.body, request, filling, added)
  const problems: readonly Problem[] = [target, query, headers, body].flatMap((part) =>
    part.ok ? [] : part.problems,
  )
  if (!target.ok || !query.ok || !headers.ok || !body.ok) return failed(dedupe(problems))
  return ok({
    capability: capability.name,
    method: request.method,
    target: target.value,
    query: query.value,
    headers: headers.value,
    ...(body.value && { body: body.value }),
    ...(request.response?.format && { answer: request.response.format }),
    repeatable: capability.effect === 'read',
  })
}

/** Query pairs: a list repeats its key, an object goes as JSON text; null is refused. */
function pairs(expression: Expression | undefined, filling: Filling): Result<Pairs> {
  if (!expression) return ok([])
  const value = withoutNulls(evaluate(expression, filling), filling)
  if (!value.ok) return value
  return ok(
    isRecord(value.value) ? Object.entries(value.value).flatMap(([key, held]) => repeated(key, held)) : [],
  )
}

type BodyKey = 'body' | 'contentType' | 'fileParts' | 'omitEmptyBody' | 'openBody'

/**
 * The body of a call; undefined if an empty one is left out.
 *
 * @param added further members of an object
 */
function bodyOf(
  expression: Expression,
  request: Pick<HttpRequest, 'bodyFormat'> & Partial<Pick<HttpRequest, BodyKey>>,
  filling: Filling,
  added: readonly (readonly [string, ExactJson])[],
): Result<UnaddressedCall['body']> {
  const { bodyFormat: format, contentType, fileParts, omitEmptyBody } = request
  const evaluated = withMembers(evaluate(expression, filling), added)
  const value = format === 'json' ? evaluated : withoutNulls(evaluated, filling)
  if (!value.ok) return value
  if (omitEmptyBody && isEmpty(value.value)) return ok(undefined)
  return ok({
    format,
    value: value.value,
    ...(contentType !== undefined && { contentType }),
    ...(fileParts && { fileParts }),
  })
}

function withMembers(
  value: Result<ExactJson>,
  added: readonly (readonly [string, ExactJson])[],
): Result<ExactJson> {
  if (added.length === 0 || !value.ok || !isRecord(value.value)) return value
  return ok(recordOf([...added, ...Object.entries(value.value)]))
}

function isEmpty(value: ExactJson): boolean {
  return value === null || (isRecord(value) && Object.keys(value).length === 0)
}

/** Queries, headers and forms hold text: a null in them would silently be left out. */
function withoutNulls(value: Result<ExactJson>, filling: Filling): Result<ExactJson> {
  if (!value.ok || !isRecord(value.value)) return value
  const nulls = Object.entries(value.value).filter(
    ([, held]) => held === null || (isList(held) && held.includes(null)),
  )
  if (nulls.length === 0) return value
  return failed(nulls.map(([name]) => problem('null_not_sent', { ...filling.where, name })))
}

/** One key of a query: as many pairs as the value asks for. */
export function repeated(key: string, value: ExactJson): Pairs {
  if (value === null) return []
  return isList(value)
    ? value.filter((item) => item !== null).map((item) => [key, asText(item)] as const)
    : [[key, asText(value)]]
}

function headerPairs(expression: Expression | undefined, filling: Filling): Result<Pairs> {
  const built = pairs(expression, filling)
  if (!built.ok) return built
  const unsafe = built.value.filter(
    ([name, value]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || hasControl(value),
  )
  if (unsafe.length > 0)
    return failed(unsafe.map(([name]) => problem('unsafe_header', { ...filling.where, name })))
  return ok(built.value.filter(([, value]) => value.trim() !== ''))
}

/** Any control character but the tab: a line break would begin another header. */
function hasControl(text: string): boolean {
  return /[^\P{Cc}\t]/u.test(text)
}

function dedupe(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(
    (one, index) => problems.findIndex((other) => other.message === one.message) === index,
  )
}
