import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import type { Emit, Event } from '../../base/event.ts'
import { redact, redactText } from './redact.ts'

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

export interface Logs {
  readonly emit: Emit
  /** Our own failures. */
  readonly report: (error: unknown) => void
  /** Writes what is still held, as far as somebody reads; nothing is written after it. */
  readonly end: () => Promise<void>
}

/** How long the end waits for a reader. */
const END_MS = 1000

/** What may wait to be written where nobody reads; beyond it lines are dropped. */
const MOST_BYTES = 1024 * 1024

/**
 * A log of JSON by the line. Writing never holds anything up: what the reader does not take waits up to a megabyte, and
 * is then dropped.
 *
 * @param fd where lines go: standard error by default, since standard output belongs to answers
 * @param worker the number of this process, where it is one of several
 */
export function openLogs(level: LogLevel, fd = 2, worker?: number): Logs {
  const destination = pino.destination({ fd, sync: false, maxLength: MOST_BYTES })
  // A reader who went away is no failure of ours.
  destination.on('error', () => undefined)
  const logger = pino(
    {
      level,
      base: { pid: process.pid, ...(worker === undefined ? {} : { worker }) },
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

/** How much an operator wants to know of it: every request and change, what went wrong; reads only when looking closely. */
function levelOf({ name, facts }: Event): 'error' | 'warn' | 'info' | 'debug' {
  if (facts['codes'] === 'internal_error') return 'error'
  if (name === 'effect' && facts['state'] === 'unknown') return 'warn'
  return name === 'api_call' && facts['effect'] === false && facts['ok'] === true ? 'debug' : 'info'
}

function lineOf({ at, facts }: Event): object {
  return Object.assign({ time: new Date(at).toISOString() }, redact(facts))
}

/** Message and place of an error, and of what caused it; nothing else that libraries hang on theirs. */
function errorOf(error: unknown): object {
  if (!(error instanceof Error)) return { message: redactText(String(error)) }
  return {
    type: error.name,
    message: redactText(error.message),
    stack: redactText(error.stack ?? ''),
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(error.cause instanceof Error ? { cause: redactText(error.cause.message) } : {}),
  }
}
