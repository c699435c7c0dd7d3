import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import type { McpServer } from '../../access/mcp-server.ts'
import { contextHeaders, type SessionContext } from '../../access/session-context.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { oneLine } from '../../base/text/one-line.ts'
import { announcing } from './announcing.ts'
import { type Connection, type Era, type Line, openConnection, type Opening } from './connection.ts'
import { messageOf, unreachedReason } from './failures.ts'
import { httpLine } from './transport/http-line.ts'
import { launchOf, type Launching } from './launch.ts'
import { eachLogLine } from './log-lines.ts'
import { mcpProblem } from './problems.ts'
import { startProcess } from './transport/process.ts'
import { boundReplies } from './replies.ts'
import { resolveText, resolveValues } from './resolve.ts'
import { noting, striking } from './strike.ts'
import { StdioTransport } from './transport/stdio-transport.ts'
import type { Watchdog } from './transport/watchdog.ts'

/** How connections to servers are made. */
export interface Dialing extends Launching {
  readonly watchdog: Watchdog
  /** A line that a server wrote to its standard error, or one of its standard output that is no message. */
  readonly onOutput: (server: string, stream: 'stderr' | 'stdout', line: string) => void
  /** A process of a server was started. */
  readonly onStarted: (called: Called, pid: number) => void
}

/** A server, and the session that it is called for. */
export interface Called {
  readonly server: McpServer
  readonly context: SessionContext
  /** Only to read what the server offers. */
  readonly isListing?: true
}

/**
 * Connects to a server for a session: first in the era of the protocol that it spoke before, else in the legacy one, which
 * most servers speak; a server that refuses that for its version is asked in the modern one.
 *
 * Gives `mcp_not_started`, `mcp_no_answer`, and the problems of `launchOf`.
 */
export async function dial(
  called: Called,
  era: Era | undefined,
  dialing: Dialing,
  opening: Opening,
): Promise<Result<Connection>> {
  const first = era ?? 'legacy'
  const other = first === 'legacy' ? 'modern' : 'legacy'
  const tried = await attempt(called, first, dialing, opening)
  if ('opened' in tried) return ok(tried.opened)
  if ('problems' in tried) return failed(tried.problems)
  if (tried.mayBeEra) {
    const again = await attempt(called, other, dialing, opening)
    if ('opened' in again) return ok(again.opened)
  }
  return failed([tried.problem])
}

type Attempt =
  | { readonly opened: Connection }
  | { readonly problems: readonly Problem[] }
  /** `mayBeEra`: the server may speak only the other era. */
  | { readonly problem: Problem; readonly mayBeEra: boolean }

async function attempt(called: Called, era: Era, dialing: Dialing, opening: Opening): Promise<Attempt> {
  const { server, context } = called
  const { lookup, strike, hasSecrets } = noting(dialing.lookup)
  const line = await lineTo(called, {
    ...dialing,
    lookup,
    onOutput: (name, stream, text) => dialing.onOutput(name, stream, strike().text(text)),
  })
  if (!line.ok) return { problems: line.problems }
  try {
    const transport = hasSecrets() ? striking(line.value.transport, strike()) : line.value.transport
    boundReplies(transport)
    const mayKnow = server.start.kind === 'stdio' || server.sendsContext
    const announced = { ...line.value, transport: mayKnow ? announcing(transport, context) : transport }
    return { opened: await openConnection(announced, era, opening) }
  } catch (error) {
    const { name } = server
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
      return {
        problem: mcpProblem('mcp_no_answer', { server: name, milliseconds: opening.timeoutMs }),
        mayBeEra: false,
      }
    const reason = strike().text(line.value.flaw() ?? (await reasonOf(error, line.value)))
    return { problem: mcpProblem('mcp_not_started', { server: name, reason }), mayBeEra: isAboutEra(error) }
  }
}

async function lineTo(called: Called, dialing: Dialing): Promise<Result<Line>> {
  const { server, context } = called
  const { name, start } = server
  if (start.kind === 'http') {
    const url = await resolveText(server, start.url, dialing.lookup)
    const headers = await resolveValues(server, start.headers, dialing.lookup)
    if (!url.ok || !headers.ok)
      return failed([url, headers].flatMap((part) => (part.ok ? [] : part.problems)))
    // A server elsewhere learns about the session only where the operator says so.
    const own = server.sendsContext ? Object.fromEntries(contextHeaders(context, dialing.prefixes)) : {}
    return ok(httpLine(url.value, { ...headers.value, ...own }))
  }
  const launch = await launchOf(server, start, context, dialing)
  if (!launch.ok) return launch
  const process = await startProcess(launch.value, dialing.watchdog)
  if ('reason' in process)
    return failed([mcpProblem('mcp_not_started', { server: name, reason: process.reason })])
  const { started } = process
  dialing.onStarted(called, started.pid)
  eachLogLine(started.stderr, (line) => dialing.onOutput(name, 'stderr', line))
  const transport = new StdioTransport(started, (line) => dialing.onOutput(name, 'stdout', line))
  return ok({ transport, isExact: true, flaw: () => transport.flaw, how: () => started.ended })
}

/** A server that answers the opening with an error of the protocol may speak only the other era. */
function isAboutEra(error: unknown): boolean {
  return (
    error instanceof ProtocolError ||
    (error instanceof SdkHttpError &&
      error.status >= 400 &&
      error.status < 500 &&
      error.status !== 401 &&
      error.status !== 403) ||
    (error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed)
  )
}

async function reasonOf(error: unknown, line: Line): Promise<string> {
  if (error instanceof SdkHttpError) return `it answered with status ${error.status}`
  if (error instanceof ProtocolError)
    return `it answered with the error ${error.code}: ${oneLine(error.message, 200)}`
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) return line.how()
  return unreachedReason(error) ?? oneLine(messageOf(error), 200)
}
