import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, printSchema } from 'graphql'
import type { Problem, Result } from '../../base/diagnostic.ts'
import { failed, ok } from '../../base/diagnostic.ts'
import { oneLine } from '../../base/text/one-line.ts'
import { problem } from '../../catalog/problems.ts'
import { lockedProblem, postJson, type Secret } from './fetch.ts'

/**
 * The schema of a GraphQL server as the text of a catalog file: the schema language, with the server's address in its first
 * line. Gives `source_locked`, and `endpoint_silent` if the server cannot be asked or does not answer with its schema.
 */
export async function schemaOfEndpoint(url: string, secret: Secret): Promise<Result<string>> {
  const body = JSON.stringify({ query: getIntrospectionQuery(), operationName: 'IntrospectionQuery' })
  const answered = await postJson(url, body, secret)
  if ('reason' in answered) return failed([silent(url, answered.reason)])
  const locked = lockedProblem(url, answered)
  if (locked) return failed([locked])
  const { isOk, status, text } = answered
  try {
    const answer: unknown = JSON.parse(text)
    const data = member(answer, 'data')
    if (typeof member(data, '__schema') !== 'object') return failed([silent(url, refusalIn(answer))])
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `buildClientSchema` checks what it reads
    const schema = buildClientSchema(data as IntrospectionQuery)
    return ok(`# endpoint: ${url}\n\n${printSchema(schema)}\n`)
  } catch (error) {
    if (!isOk) return failed([silent(url, `it answers ${status}`)])
    const isDeep = error instanceof RangeError
    const reason = isDeep ? 'it nests too deeply' : error instanceof Error ? error.message : 'unknown'
    return failed([silent(url, `its answer is no schema: ${reason}`)])
  }
}

function silent(url: string, reason: string): Problem {
  return problem('endpoint_silent', { url, reason: oneLine(reason, 300).replace(/\.$/, '') })
}

/** What the server says in place of its schema: many servers do not answer introspection. */
function refusalIn(answer: unknown): string {
  const errors = member(answer, 'errors')
  const message = Array.isArray(errors) ? member(errors[0], 'message') : undefined
  return typeof message === 'string' ? message : 'its answer has no schema'
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined
}
