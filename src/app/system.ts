import { randomBytes } from 'node:crypto'
import type { Clock } from '../base/clock.ts'

/** The clock of this machine. */
export const systemClock: Clock = { now: () => Date.now() }

/** 128 random bits in hex, new at each call. */
export const newId = (): string => randomBytes(16).toString('hex')

let lastPause = Promise.resolve()

/**
 * Lets everything that waits in this process go on first. One caller continues in each turn of the event loop: requests are
 * read and answered between any two of them.
 */
export function pause(): Promise<void> {
  lastPause = lastPause.then(() => new Promise((resolve) => void setImmediate(resolve)))
  return lastPause
}
