import type { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Problem } from '../../base/diagnostic.ts'
import type { Announced, Caller, Reply, Surface } from '../../engine/index.ts'
import { ownProblemReply, problemReply } from './problem-reply.ts'
import type { Unread } from './unread.ts'

export interface Env {
  /** Absent where no socket stands behind the request. */
  Bindings: {
    readonly incoming?: Unread
    readonly outgoing?: {
      readonly once: (event: 'finish', listener: () => void) => unknown
      readonly setHeader: (name: string, value: string) => unknown
    }
  }
  Variables: {
    caller: Caller
    announced: Announced
    /** Of the route's content types, the one that the client likes best. */
    accepted: string
    /** Counts requests of the caller; gives the refusal if they are too many. */
    count: (requests: number) => Response | undefined
  }
}

/** The groups of routes in the document. */
export type Tag = 'Sessions' | 'Programs' | 'Catalogs' | 'Traces' | 'Server'

/** One route: what the document says of it, and who answers. */
export interface Route {
  readonly method: 'get' | 'post' | 'delete'
  /** As OpenAPI writes it: `/v1/contexts/{ref}`. */
  readonly path: string
  /** Its `operationId`. */
  readonly name: string
  readonly tag: Tag
  readonly summary: string
  /** Answered without credentials: the same for every caller. */
  readonly isPublic?: true
  /** Answered for operators alone. */
  readonly isForOperators?: true
  /** A key for any of these may be used; by default one for `http`. */
  readonly surfaces?: readonly Surface[]
  readonly parameters?: z.ZodObject
  readonly query?: z.ZodObject
  /** By content type. */
  readonly body?: Readonly<Record<string, z.ZodType>>
  /** Headers of its answers, as the document explains them. */
  readonly headers?: readonly ('etag' | 'location')[]
  /** By status, then by content type; an empty one has no body. The client's `Accept` allows one of these types. */
  readonly answers: Readonly<Record<number, Readonly<Record<string, z.ZodType>>>>
  readonly handle: (context: Context<Env>) => Promise<Response> | Response
}

/** The engine's answer by `shape`, or its problems. */
export function answered<Facts>(
  reply: Reply<Facts>,
  shape: (answered: Extract<Reply<Facts>, { readonly ok: true }>) => Response,
): Response {
  return reply.ok ? shape(reply) : problemReply(reply.problems, reply.text, { confirm: reply.confirm })
}

/** The first of a request's own problems. */
export function refused({ problems }: { readonly problems: readonly Problem[] }): Response {
  const [first] = problems
  if (!first) throw new Error('a refusal without a problem')
  return ownProblemReply(first)
}
