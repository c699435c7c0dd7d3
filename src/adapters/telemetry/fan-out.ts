import type { Emit, Event } from '../../base/event.ts'

/** A listener that forwards events to any number of listeners; more may join at any time. */
export interface FanOut {
  readonly emit: Emit
  readonly add: (listener: Emit) => void
  /** Delivers buffered events: before listeners' data is read, and at shutdown. */
  readonly flush: () => void
}

/** Events are delivered in batches, so that a request pays only for recording them. */
const HELD_MS = 20
const MAX_HELD = 256

/**
 * Delivers each event to every listener, in order, shortly after it was emitted. A listener that throws is reported once
 * and removed: telemetry never interferes with requests.
 */
export function fanOut(report: (error: unknown) => void): FanOut {
  const listeners = new Set<Emit>()
  let held: Event[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const events = held
    held = []
    for (const event of events) for (const listener of listeners) hand(event, listener)
  }
  const hand = (event: Event, listener: Emit) => {
    try {
      listener(event)
    } catch (error) {
      listeners.delete(listener)
      report(error)
    }
  }
  return {
    emit: (event) => {
      if (listeners.size === 0) return
      held.push(event)
      if (held.length >= MAX_HELD) flush()
      else timer ??= setTimeout(flush, HELD_MS).unref()
    },
    add: (listener) => void listeners.add(listener),
    flush,
  }
}
