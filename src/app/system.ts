import { randomBytes } from 'node:crypto'
import type { Clock } from '../base/clock.ts'

/** The clock of this machine. */
export const systemClock: Clock = { now: () => Date.now() }

/** 128 random bits in hex, new at each call. */
export const newId = (): string => randomBytes(16).toString('hex')
