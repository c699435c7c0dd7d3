import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import type { Problem } from '../../base/diagnostic.ts'
import { codeOf } from '../../base/errors.ts'
import { oneLine } from '../../base/text/one-line.ts'
import type { McpFailure } from '../../execution/mcp.ts'
import { CLOSED, type Connection } from './connection.ts'
import { mcpProblem } from './problems.ts'

/** What a failed request means. */
export interface Failed {
  readonly problem: Problem
  readonly acted: McpFailure['acted']
  /** The caller may not make the call any more. */
  readonly isRefused?: true
  /** `gone`: the connection is of no further use. `silent`: it may be. */
  readonly connection: 'open' | 'gone' | 'silent'
  /** The server has never seen the call: it may be sent again on another connection, even a change. */
  readonly isUnseen?: true
  /** This process ended the connection, since the server misbehaved: it would do so again. */
  readonly isMisbehaved?: true
}

/** Errors by which a server refuses a call before it acts: of the protocol, and an unknown resource. */
const REFUSALS = new Set([-32700, -32600, -32601, -32602, -32002, -32020, -32021, -32022])

/** Causes of a request over HTTP whose connection broke. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** The longest text of a server in a problem, in characters. */
const DETAIL = 500

/** Interprets the error of a request. */
export async function failureOf(
  error: unknown,
  {
    server,
    timeoutMs,
    signal,
  }: { readonly server: string; readonly timeoutMs: number; readonly signal: AbortSignal },
  connection: Connection,
): Promise<Failed> {
  if (signal.aborted)
    return { problem: mcpProblem('mcp_cancelled', { server }), acted: 'unknown', connection: 'open' }
  if (error instanceof ProtocolError) return refusalOf(error.code, error.message, server)
  if (error instanceof SdkHttpError) return statusFailure(error.status, server)
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return {
      problem: mcpProblem('mcp_no_answer', { server, milliseconds: timeoutMs }),
      acted: 'unknown',
      connection: 'silent',
    }
  if (connection.ended() !== undefined) {
    const isMisbehaved = connection.ended() !== CLOSED
    const how = isMisbehaved ? (connection.ended() ?? '') : await connection.how()
    const problem = mcpProblem('mcp_ended', { server, how })
    return { problem, acted: 'unknown', connection: 'gone', ...(isMisbehaved && { isMisbehaved }) }
  }
  const unreached = unreachedReason(error)
  if (unreached !== undefined)
    return {
      problem: mcpProblem('mcp_not_started', { server, reason: unreached }),
      acted: 'not_sent',
      connection: 'gone',
    }
  if (BROKEN.has(causeOf(error) ?? ''))
    return { problem: mcpProblem('mcp_ended', { server, how: CLOSED }), acted: 'unknown', connection: 'open' }
  const reason = oneLine(messageOf(error), DETAIL)
  return { problem: mcpProblem('mcp_bad_answer', { server, reason }), acted: 'unknown', connection: 'open' }
}

function refusalOf(code: number, message: string, server: string): Failed {
  const detail = oneLine(message.replace(/^MCP error -?\d+: /, ''), DETAIL)
  return REFUSALS.has(code)
    ? { problem: mcpProblem('mcp_refused', { server, code, detail }), acted: 'no', connection: 'open' }
    : { problem: mcpProblem('mcp_failed', { server, code, detail }), acted: 'unknown', connection: 'open' }
}

function statusFailure(status: number, server: string): Failed {
  const params = { server, code: status, detail: '' }
  if (status >= 300 && status < 400) {
    const detail = 'it redirects to another address, which is not followed'
    return { problem: mcpProblem('mcp_failed', { ...params, detail }), acted: 'no', connection: 'open' }
  }
  // The server does not know our session of the protocol any more.
  if (status === 404)
    return { problem: mcpProblem('mcp_refused', params), acted: 'no', connection: 'gone', isUnseen: true }
  return status >= 400 && status < 500 && status !== 408
    ? { problem: mcpProblem('mcp_refused', params), acted: 'no', connection: 'open' }
    : { problem: mcpProblem('mcp_failed', params), acted: 'unknown', connection: 'open' }
}

/** Why a server over HTTP was never reached; undefined if the error is another one. */
export function unreachedReason(error: unknown): string | undefined {
  const cause = causeOf(error)
  if (cause === 'ENOTFOUND') return 'its host is unknown'
  return cause === 'ECONNREFUSED' ? 'nothing listens there' : undefined
}

/** What an error says; one of `fetch` says it in its cause. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed'
  return error.message === 'fetch failed' && error.cause instanceof Error
    ? error.cause.message
    : error.message
}

function causeOf(error: unknown): string | undefined {
  return error instanceof Error ? codeOf(error.cause) : undefined
}
