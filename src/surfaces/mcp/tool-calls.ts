import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { type Problem, sentences } from '../../base/diagnostic.ts'
import {
  type Announced,
  announcedOver,
  type Caller,
  type Gateway,
  passingProblem,
} from '../../engine/index.ts'
import type { ToolName } from './tools.ts'

/** The dependencies of this surface. */
export interface McpParts {
  readonly gateway: Gateway
  readonly version: string
  /** Receives internal errors; clients only learn that one happened. */
  readonly report: (error: unknown) => void
}

/** The caller of a request, and a callback for its written answer. */
export interface Exchange {
  readonly caller: Caller
  /** What the host announced with the connection, or beside the request. */
  readonly announced: Announced
  /** Counts the requests of a batch besides the first; gives the refusal if they are too many for the caller. */
  readonly count?: (requests: number) => Response | undefined
  /** Calls back after the answer to the request with this id was handed to the operating system. */
  readonly onWritten: (callback: () => void, id: string | number) => void
}

/** The answer of a tool, independent of the protocol's era. */
export type ToolReply =
  | { readonly ok: true; readonly text: string; readonly meta: object }
  | { readonly ok: false; readonly text: string }

/** A call of a tool that never asks a question and never runs a program. */
export interface QuietCall {
  readonly tool: Exclude<ToolName, 'plasm_run'>
  readonly input: unknown
  readonly id: string | number
  /** What the request itself announces. */
  readonly announced: Announced
}

/** Answers every tool but `plasm_run`. The rows of a context count as delivered once the answer was written. */
export async function answerQuietCall(
  { gateway, report }: McpParts,
  exchange: Exchange,
  { tool, input, id, announced: ofRequest }: QuietCall,
): Promise<ToolReply> {
  const { caller, onWritten } = exchange
  const announced = announcedOver(ofRequest, exchange.announced)
  switch (tool) {
    case 'plasm_context': {
      const reply = await gateway.context(caller, input, { announced })
      if (reply.ok && reply.markDelivered) {
        const { markDelivered } = reply
        onWritten(() => void markDelivered().catch(report), id)
      }
      return reply
    }
    case 'discover_capabilities':
      return gateway.discover(caller, input, { announced })
    case 'plasm':
      return gateway.plan(caller, input, { announced })
  }
}

/** A refusal with one problem. */
export function refusal(problem: Problem): ToolReply {
  return { ok: false, text: `${problem.code}: ${sentences(problem)}\n` }
}

/**
 * Runs the work. An exception of the engine is an internal error: it is reported, and becomes a `ProtocolError` without
 * details; a transient failure becomes `inWords` of its problem, if that is given.
 */
export async function guarded<T>(
  { report }: Pick<McpParts, 'report'>,
  work: () => Promise<T>,
  inWords?: (problem: Problem) => T,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (ProtocolError.isInstance(error)) throw error
    report(error)
    const passing = passingProblem(error)
    if (passing && inWords) return inWords(passing)
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      'Internal error: it was reported to the operator. Repeat the call once; if it fails again, tell the user.',
    )
  }
}
