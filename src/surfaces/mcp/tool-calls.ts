import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { type Problem, sentences } from '../../base/diagnostic.ts'
import { type Caller, type Gateway, passingProblem } from '../../engine/index.ts'
import type { ToolName } from './tools.ts'

/** What this surface needs of the rest. */
export interface McpParts {
  readonly gateway: Gateway
  readonly version: string
  /** Receives our own failures; clients only learn that one happened. */
  readonly report: (error: unknown) => void
}

/** The caller of a request, and a signal that its answer was written. */
export interface Exchange {
  readonly caller: Caller
  /** Calls back after the answer to the request with this id was handed to the operating system. */
  readonly onWritten: (callback: () => void, id: string | number) => void
}

/** What a tool answers, before any era of the protocol gives it a form. */
export type ToolReply =
  | { readonly ok: true; readonly text: string; readonly meta: object }
  | { readonly ok: false; readonly text: string }

/** A call of a tool that never asks a question and never runs a program. */
export interface QuietCall {
  readonly tool: Exclude<ToolName, 'plasm_run'>
  readonly input: unknown
  readonly id: string | number
}

/** Answers every tool but `plasm_run`. What a context teaches counts as delivered once its answer was written. */
export async function answerQuietCall(
  { gateway, report }: McpParts,
  { caller, onWritten }: Exchange,
  { tool, input, id }: QuietCall,
): Promise<ToolReply> {
  switch (tool) {
    case 'plasm_context': {
      const reply = await gateway.context(caller, input)
      if (reply.ok && reply.markDelivered) {
        const { markDelivered } = reply
        onWritten(() => void markDelivered().catch(report), id)
      }
      return reply
    }
    case 'discover_capabilities':
      return gateway.discover(caller, input)
    case 'plasm':
      return gateway.plan(caller, input)
  }
}

/** The refusal that states one problem. */
export function refusal(problem: Problem): ToolReply {
  return { ok: false, text: `${problem.code}: ${sentences(problem)}\n` }
}

/**
 * Runs the work. What the engine throws is our own failure: it is reported, and becomes a `ProtocolError` without details;
 * a failure that passes by itself becomes `inWords` of its problem, where that is given.
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
      'internal error: it was reported to the operator',
    )
  }
}
