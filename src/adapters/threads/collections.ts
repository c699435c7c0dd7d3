import { setFlagsFromString } from 'node:v8'

let areKeptShort = false

/**
 * Keeps the young generation of this process's heap as small as it is: V8 lets each of its halves grow to 16 MiB, and while large
 * answers are held each collection then stops all calls for 10 to 40 ms, instead of one. A size that the operator sets
 * (`NODE_OPTIONS`) holds.
 */
export function keepCollectionsShort(): void {
  const options = [...process.execArgv, process.env['NODE_OPTIONS'] ?? '']
  areKeptShort = !options.some((option) => /semi[-_]space/.test(option))
  stillKeepCollectionsShort()
}

/** To be called whenever a thread has started: V8 sets the factor of growth to 2 for the whole process where a heap begins. */
export function stillKeepCollectionsShort(): void {
  if (areKeptShort) setFlagsFromString('--semi-space-growth-factor=1')
}
