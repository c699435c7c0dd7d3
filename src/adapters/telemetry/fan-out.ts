import type { Emit, Event } from '../../base/event.ts'

/** Everybody who listens to events, as one listener; more may join at any time. */
export interface FanOut {
  readonly emit: Emit
  readonly add: (listener: Emit) => void
  /** Hands over what is still held: for those who read what listeners know, and for the end. */
  readonly flush: () => void
}

/** Events are handed over together, so that a request pays for no more than saying what happened. */
const HELD_MS = 20
const MOST_HELD = 256

/**
 * Hands each event to every listener, in order, a moment after it was told. One that throws is told of once and is not
 * listened for again: telemetry never gets in the way of what it tells about.
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
      if (held.length >= MOST_HELD) flush()
      else timer ??= setTimeout(flush, HELD_MS).unref()
    },
    add: (listener) => void listeners.add(listener),
    flush,
  }
}
