import { setImmediate as nextTurn } from 'node:timers/promises'
import type { McpServer } from '../../access/mcp-server.ts'
import { isTrusted } from '../../access/servers.ts'
import type { SessionContext } from '../../access/session-context.ts'
import { utf8Bytes } from '../../base/canonical.ts'
import type { Clock } from '../../base/clock.ts'
import type { Problem } from '../../base/diagnostic.ts'
import { jsonSlices } from '../../base/slices/json-slices.ts'
import { Pace } from '../../base/slices/pace.ts'
import type { Mcp, McpAnswer, McpCall } from '../../execution/mcp.ts'
import { holdsStruck } from '../wire/strike-out.ts'
import { answerOf } from './answers.ts'
import { type Failed, failureOf } from './failures.ts'
import type { Keyed, Lease, Pool } from './pool.ts'
import { mcpProblem } from './problems.ts'
import { messageOf } from './requests.ts'

type Limits = Parameters<Mcp['send']>[1]
type Sent = Awaited<ReturnType<Mcp['send']>>

/** What is left of a call's time, and the time that its messages state: all of it. */
type AttemptLimits = Limits & { readonly statedMs: number }

/** How long a server that missed the time of a call may take to show that it lives, in ms. */
const PING_MS = 5000

/** The MCP servers that this process can call, by key. */
export class McpServers {
  readonly #pool: Pool
  readonly #clock: Clock
  readonly #onRefused: (key: string) => void
  readonly #servers = new Map<string, McpServer>()

  /** @param onRefused the server of this key refused a call, or its tool failed: its tools may be others now */
  constructor(pool: Pool, clock: Clock, onRefused: (key: string) => void) {
    this.#pool = pool
    this.#clock = clock
    this.#onRefused = onRefused
  }

  /** Serves a server under a key, which the origin of its catalog names. */
  add(key: string, server: McpServer): void {
    this.#servers.set(key, server)
  }

  isOverHttp(key: string): boolean {
    return this.#servers.get(key)?.start.kind === 'http'
  }

  /** Stops serving it, and ends its processes. */
  async remove(key: string): Promise<void> {
    this.#servers.delete(key)
    await this.#pool.endServer(key)
  }

  /** The servers as one session may call them. */
  readonly of = (context: SessionContext): Mcp => ({
    send: (call, limits) => this.#send(call, context, limits),
  })

  async #send(call: McpCall, context: SessionContext, limits: Limits): Promise<Sent> {
    const key = call.catalog.origin.replace(/^mcp:/, '')
    const server = this.#servers.get(key)
    // The scope of the call has decided already; trust is asked again where a process would start.
    if (!server || !isTrusted(server, context.trust))
      return failed(notSent(mcpProblem('mcp_unknown_server', { server: call.catalog.id })), 0)
    if (holdsStruck(Object.values(call.request)))
      return failed(notSent(mcpProblem('mcp_secret_struck', { server: call.catalog.id })), 0)
    const until = this.#clock.now() + limits.timeoutMs
    const attempt = () => {
      const timeoutMs = Math.max(1, until - this.#clock.now())
      return this.#attempt({ key, server, context }, call, {
        ...limits,
        timeoutMs,
        statedMs: limits.timeoutMs,
      })
    }
    const first = await attempt()
    if ('answer' in first) return answered(first, 1)
    const isLost = first.connection === 'gone' && first.acted !== 'not_sent'
    const isWorthIt = first.isMisbehaved !== true && !limits.signal.aborted
    const mayRepeat = isLost && isWorthIt && (call.repeatable || first.isUnseen === true)
    if (!mayRepeat) return failed(first, first.acted === 'not_sent' ? 0 : 1)
    const second = await attempt()
    if ('answer' in second) return answered(second, 2)
    return failed(second.acted === 'not_sent' ? first : second, 2)
  }

  async #attempt(called: Keyed, call: McpCall, limits: AttemptLimits): Promise<Answered | Failed> {
    const acquired = await this.#pool.acquire(called, limits.timeoutMs)
    if (!acquired.ok) return notSent(acquired.problems[0])
    const lease = acquired.value
    // Rights may have ended while the server started.
    const admitted = await call.admit()
    if (!admitted.ok) {
      lease.release()
      return { ...notSent(admitted.problems[0]), isRefused: true }
    }
    const { name } = called.server
    try {
      const result = await lease.connection.ask(messageOf(call.request, lease.connection.isExact), limits)
      lease.release()
      lease.proven()
      const answer = await answerOf(call.request, result)
      if ('isError' in answer && answer.isError) this.#onRefused(called.key)
      const bytes = await bytesOf(result, new Pace(this.#clock, nextTurn))
      if ('wrong' in answer)
        return unusable(mcpProblem('mcp_bad_answer', { server: name, reason: answer.wrong }))
      return bytes > limits.maxBytes
        ? unusable(mcpProblem('mcp_answer_too_large', { server: name, bytes, most: limits.maxBytes }))
        : { answer, bytes }
    } catch (error) {
      const { statedMs, signal } = limits
      const found = await failureOf(error, { server: name, timeoutMs: statedMs, signal }, lease.connection)
      if (found.problem.code === 'mcp_refused') this.#onRefused(called.key)
      if (found.connection === 'open') lease.release()
      else if (found.connection === 'gone') await lease.discard()
      else void revive(lease)
      return found
    }
  }
}

/** The bytes of a value as JSON. */
async function bytesOf(value: unknown, pace: Pace): Promise<number> {
  let bytes = 0
  for (const piece of jsonSlices(value)) {
    bytes += utf8Bytes(piece)
    if (pace.isDue) await pace.rest()
  }
  return bytes
}

/** A server that does not even answer a ping is ended; another call starts it again. */
async function revive(lease: Lease): Promise<void> {
  try {
    await lease.connection.ask({ method: 'ping' }, { timeoutMs: PING_MS })
    lease.release()
  } catch {
    await lease.discard()
  }
}

interface Answered {
  readonly answer: McpAnswer
  readonly bytes: number
}

function answered({ answer, bytes }: Answered, requests: number): Sent {
  return { ok: true, reply: { answer, bytes, requests } }
}

function failed({ problem, acted, isRefused }: Failed, requests: number): Sent {
  return { ok: false, failure: { problem, acted, requests, ...(isRefused && { isRefused }) } }
}

function notSent(problem: Problem | undefined): Failed {
  if (!problem) throw new Error('a refusal states a problem')
  return { problem, acted: 'not_sent', connection: 'open' }
}

function unusable(problem: Problem): Failed {
  return { problem, acted: 'yes', connection: 'open' }
}
