import type { Json } from '../../../base/canonical.ts'
import { child, isList, scalarText, walk } from '../../../base/json.ts'
import type { GraphQlOperation } from '../../../catalog/calls/graphql-operation.ts'
import { errorsIn } from './answer.ts'
import { apiMessage } from './message.ts'

/** The answer of an operation without its errors, and what they mean. */
export interface GraphQlErrors {
  /** Why the operation as a whole gave nothing, or was refused. */
  readonly errorIn: (body: Json) => string | undefined
  /** Why a part of the data is missing. */
  readonly partialIn: (body: Json) => string | undefined
  /** Whether the API acted on an operation with an error. */
  readonly actedIn: (body: Json) => 'no' | 'yes' | 'unknown'
}

/** What the answers of an operation say is wrong. An operation whose field has a value is answered in part. */
export function errorsOf({ root, refusals }: GraphQlOperation): GraphQlErrors {
  const isAnswered = (body: Json) => (child(child(body, 'data'), root) ?? null) !== null
  const message = (body: Json) => (errorsIn(body).length > 0 ? apiMessage(body) : undefined)
  return {
    errorIn: (body) => (isAnswered(body) ? undefined : message(body)) ?? refusalIn(body, refusals),
    partialIn: (body) => (isAnswered(body) ? message(body) : undefined),
    actedIn: (body) => {
      const errors = errorsIn(body)
      // An error inside of the answer is raised after the field itself was resolved.
      if (errors.some((error) => depthOf(error) > 1)) return 'yes'
      return errors.some(isInternal) ? 'unknown' : 'no'
    },
  }
}

function depthOf(error: Json): number {
  const path = child(error, 'path')
  return isList(path) ? path.length : 0
}

/** The code with which servers mask a failure of their own, which may come after the change. */
function isInternal(error: Json): boolean {
  return child(child(error, 'extensions'), 'code') === 'INTERNAL_SERVER_ERROR'
}

/** The most refusals that a message lists. */
const SHOWN = 5

function refusalIn(body: Json, paths: GraphQlOperation['refusals']): string | undefined {
  const texts = paths.flatMap((path) => {
    const held = walk(body, path) ?? null
    const items = isList(held) ? held : [held]
    return items.flatMap((item) => scalarText(child(item, 'message') ?? item) ?? [])
  })
  const shown = texts.filter((text) => text !== '').slice(0, SHOWN)
  return shown.length === 0 ? undefined : apiMessage(shown.join('; '))
}
