import type { Emit } from '../../base/event.ts'

/** Everybody who listens to events, as one listener; more may join at any time. */
export interface FanOut {
  readonly emit: Emit
  readonly add: (listener: Emit) => void
}

/**
 * Hands each event to every listener. One that throws is told of once and is not listened for again: telemetry never
 * gets in the way of what it tells about.
 */
export function fanOut(report: (error: unknown) => void): FanOut {
  const listeners = new Set<Emit>()
  return {
    emit: (event) => {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch (error) {
          listeners.delete(listener)
          report(error)
        }
      }
    },
    add: (listener) => void listeners.add(listener),
  }
}
