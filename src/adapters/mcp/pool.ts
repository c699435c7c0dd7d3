import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { lengthPrefixed } from '../../base/canonical.ts'
import type { Clock } from '../../base/clock.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { contextOfNone } from '../../access/session-context.ts'
import { Backoff } from './backoff.ts'
import type { Connection, Era } from './connection.ts'
import { type Called, dial, type Dialing } from './dial.ts'
import { mcpProblem } from './problems.ts'

export interface PoolOptions {
  readonly dialing: Dialing
  readonly clock: Clock
  /** Of this program. */
  readonly version: string
  /** The most connections at a time. */
  readonly most: number
  /** How long a connection without a call stays open, in ms. */
  readonly idleMs: number
  /** How long a server may take to start and answer the opening, in ms. */
  readonly startMs: number
  /** The server that this key names says that its lists changed. */
  readonly onListChanged: (key: string) => void
}

/** A server under the key that names it in this process. */
export interface Keyed extends Called {
  readonly key: string
}

/** A connection that is held for one call. */
export interface Lease {
  readonly connection: Connection
  /** Gives the connection back. */
  readonly release: () => void
  /** Returns the connection and ends it: it is not used again. */
  readonly discard: () => Promise<void>
  /** The server answered: earlier failures do not count any more. */
  readonly proven: () => void
}

interface Held {
  readonly key: string
  readonly sessionId: string
  readonly opening: Promise<Result<Connection>>
  /** Ends the opening. */
  readonly ending: AbortController
  connection: Connection | undefined
  users: number
  lastUsed: number
  timer: NodeJS.Timeout | undefined
}

/**
 * Connections to MCP servers, one for each isolation key: at most so many, closed when idle, opened again when they ended.
 * A server that repeatedly cannot be opened is left alone for a while; one that repeatedly fails in the calls of a session, by
 * that session.
 */
export class Pool {
  readonly #options: PoolOptions
  readonly #held = new Map<string, Held>()
  readonly #eras = new Map<string, Era>()
  /** Connections that are being closed. */
  readonly #closing = new Set<Promise<unknown>>()
  readonly #backoff: Backoff
  #isShut = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#backoff = new Backoff(options.clock)
  }

  /** The era that a server was found to speak. */
  eraOf(key: string): Era | undefined {
    return this.#eras.get(key)
  }

  /** Remembers the era of an earlier process. */
  rememberEra(key: string, era: Era): void {
    this.#eras.set(key, era)
  }

  /**
   * A connection for one call, for which `waitMs` may pass. A server that takes longer is opened all the same, for the next
   * call. Gives `mcp_resting`, `mcp_servers_full`, `mcp_no_answer` and the problems of `dial`.
   */
  async acquire(called: Keyed, waitMs: number): Promise<Result<Lease>> {
    const place = placeOf(called)
    let held = this.#held.get(place)
    if (held?.connection?.ended() !== undefined) {
      this.#forget(place, held)
      held = undefined
    }
    if (!held) {
      const refusal = this.#refusal(place, called)
      if (refusal) return failed([refusal])
      held = this.#open(place, called)
    }
    const entry = held
    entry.users++
    clearTimeout(entry.timer)
    const patience = new AbortController()
    const late = delay(waitMs, undefined, { signal: patience.signal }).catch(() => undefined)
    const opened = await Promise.race([entry.opening, late])
    patience.abort()
    if (opened?.ok) return ok(this.#lease(place, entry, opened.value, called))
    const { name, isolation } = called.server
    // No other call will use what only this one waited for.
    if (isolation === 'call') void this.#drop(place, entry)
    else this.#free(place, entry)
    return opened ?? failed([mcpProblem('mcp_no_answer', { server: name, milliseconds: waitMs })])
  }

  /** Closes the connections of a session. */
  async endSession(sessionId: string): Promise<void> {
    await this.#close((held) => held.sessionId === sessionId)
  }

  /** Closes the connections to a server that is served no more. */
  async endServer(key: string): Promise<void> {
    this.#eras.delete(key)
    await this.#close((held) => held.key === key)
  }

  async shutDown(): Promise<void> {
    this.#isShut = true
    await this.#close(() => true)
    await Promise.allSettled(this.#closing)
  }

  #refusal(place: string, { key, server: { name } }: Keyed) {
    const { most } = this.#options
    if (this.#isShut) return mcpProblem('mcp_unknown_server', { server: name })
    const seconds = Math.max(this.#backoff.waitOf(key), this.#backoff.waitOf(place))
    if (seconds > 0) return mcpProblem('mcp_resting', { server: name, seconds })
    if (this.#held.size < most) return undefined
    const [idlest] = [...this.#held]
      .filter(([, { users }]) => users === 0)
      .toSorted(([, a], [, b]) => a.lastUsed - b.lastUsed)
    if (!idlest) return mcpProblem('mcp_servers_full', { server: name, most })
    void this.#drop(...idlest)
    return undefined
  }

  #open(place: string, called: Keyed): Held {
    const { dialing, version, startMs, onListChanged } = this.#options
    const { key, server, context } = called
    // A process that sessions share learns of no session.
    const dialed = server.isolation === 'shared' ? { ...called, context: contextOfNone(context) } : called
    const ending = new AbortController()
    const opening = dial(dialed, this.#eras.get(key), dialing, {
      version,
      timeoutMs: startMs,
      signal: ending.signal,
      ...(server.start.kind === 'stdio' && { onListChanged: () => onListChanged(key) }),
    })
    const sessionId = server.isolation === 'session' ? context.sessionId : ''
    const held: Held = {
      key,
      sessionId,
      opening,
      ending,
      connection: undefined,
      users: 0,
      lastUsed: 0,
      timer: undefined,
    }
    this.#held.set(place, held)
    void opening.then((opened) => {
      if (!opened.ok) {
        if (!ending.signal.aborted) this.#backoff.failed(key)
        this.#forget(place, held)
        return
      }
      held.connection = opened.value
      this.#backoff.worked(key)
      if (this.#held.get(place) === held) this.#eras.set(key, opened.value.era)
      else void opened.value.close()
    })
    return held
  }

  #lease(place: string, held: Held, connection: Connection, { server }: Keyed): Lease {
    let isFree = false
    const once = (then: () => Promise<void> | void) => {
      if (isFree) return undefined
      isFree = true
      return then()
    }
    return {
      connection,
      release: () =>
        void once(() => (server.isolation === 'call' ? this.#drop(place, held) : this.#free(place, held))),
      discard: async () =>
        once(() => {
          // A call may be what ends the server: that is no reason to refuse it to other sessions.
          this.#backoff.failed(place)
          return this.#drop(place, held)
        }),
      proven: () => this.#backoff.worked(place),
    }
  }

  /** Starts the time after which an unused connection is closed. */
  #free(place: string, held: Held): void {
    held.users--
    held.lastUsed = this.#options.clock.now()
    if (held.users > 0 || this.#held.get(place) !== held) return
    held.timer = setTimeout(() => void this.#drop(place, held), this.#options.idleMs)
    held.timer.unref()
  }

  #forget(place: string, held: Held): void {
    clearTimeout(held.timer)
    if (this.#held.get(place) === held) this.#held.delete(place)
  }

  #drop(place: string, held: Held): Promise<void> {
    this.#forget(place, held)
    held.ending.abort()
    const closing = held.opening.then((opened) => (opened.ok ? opened.value.close() : undefined))
    this.#closing.add(closing)
    return closing.finally(() => this.#closing.delete(closing))
  }

  async #close(isMeant: (held: Held) => boolean): Promise<void> {
    const meant = [...this.#held].filter(([, held]) => isMeant(held))
    await Promise.all(meant.map(([place, held]) => this.#drop(place, held)))
  }
}

/** Calls with the same place share a connection. */
function placeOf({ key, server, context }: Keyed): string {
  const { sessionId, workspaceId, workspaceRoot, trust } = context
  const world = [key, workspaceId, workspaceRoot, trust]
  switch (server.isolation) {
    case 'session':
      return lengthPrefixed([...world, sessionId])
    case 'shared':
      return lengthPrefixed(world)
    case 'call':
      return randomUUID()
  }
}
