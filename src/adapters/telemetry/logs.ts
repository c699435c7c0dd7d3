import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import type { Emit, Event } from '../../base/event.ts'
import { redact, redactText } from './redact.ts'
import { isServerFailure } from './server-failures.ts'

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

export interface Logs {
  readonly emit: Emit
  /** Internal errors. */
  readonly report: (error: unknown) => void
  /** Writes buffered lines while they are being read; nothing is written afterwards. */
  readonly end: () => Promise<void>
}

/** How long the shutdown waits for a reader. */
const END_MS = 1000

/** The most bytes that are buffered without a reader; further lines are dropped. */
const MAX_BYTES = 1024 * 1024

/**
 * A log with one JSON object per line. Logging never blocks: up to a megabyte is buffered for a slow reader, and further
 * lines are dropped.
 *
 * @param fd the file descriptor: standard error by default, since standard output belongs to answers
 * @param worker the number of this process, if it is one of several
 */
export function openLogs(level: LogLevel, fd = 2, worker?: number): Logs {
  const destination = pino.destination({ fd, sync: false, maxLength: MAX_BYTES })
  // Ignore EPIPE.
  destination.on('error', () => undefined)
  const logger = pino(
    {
      level,
      base: { pid: process.pid, ...(worker !== undefined && { worker }) },
      timestamp: false,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  )
  let hasEnded = false
  return {
    emit: (event) => {
      const at = levelOf(event)
      if (!hasEnded && logger.isLevelEnabled(at)) logger[at](lineOf(event), event.name)
    },
    report: (error) => {
      if (!hasEnded) logger.error({ time: new Date().toISOString(), err: errorOf(error) }, 'failure')
    },
    end: async () => {
      hasEnded = true
      const closed = once(destination, 'close').catch(() => undefined)
      destination.end()
      const patience = new AbortController()
      const tooLong = delay(END_MS, undefined, { signal: patience.signal }).catch(() => undefined)
      await Promise.race([closed, tooLong])
      patience.abort()
    },
  }
}

/**
 * The level of an event: `error` for failures of the server and of its store; `warn` for effects of unknown outcome, announcements that cannot be used and servers
 * without a session; `debug` for successful reads of APIs; else `info`.
 */
function levelOf({ name, facts }: Event): 'error' | 'warn' | 'info' | 'debug' {
  if (isServerFailure(facts['codes'])) return 'error'
  if ((name === 'effect' && facts['state'] === 'unknown') || name === 'workspace_ignored') return 'warn'
  // A process that serves calls and got no session.
  if (name === 'mcp_started' && facts['session'] === '' && facts['listing'] === false) return 'warn'
  // Each call of a tool is on record, reads as well: what a tool does is known to its server alone.
  const isRead = name === 'api_call' && facts['effect'] === false && facts['tool'] === undefined
  return isRead && facts['ok'] === true ? 'debug' : 'info'
}

function lineOf({ at, facts }: Event): object {
  return Object.assign({ time: new Date(at).toISOString() }, redact(facts))
}

/** The message and stack of an error and its causes, without other properties that libraries attach. */
function errorOf(error: unknown): object {
  if (!(error instanceof Error)) return { message: redactText(String(error)) }
  return {
    type: error.name,
    message: redactText(error.message),
    stack: redactText(error.stack ?? ''),
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...(error.cause instanceof Error && { cause: redactText(error.cause.message) }),
  }
}
