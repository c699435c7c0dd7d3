import type { Clock } from '../../../base/clock.ts'

/** The elements of a reply as texts; null where there is nothing. */
export function texts(reply: unknown): readonly (string | null)[] {
  if (!Array.isArray(reply)) throw new Error('the server gave one value where a list was expected')
  return reply.map((element: unknown) =>
    typeof element === 'string' ? element : typeof element === 'number' ? String(element) : null,
  )
}

/** The time argument of functions: empty for the server's own clock, unless the store was given another clock. */
export function stamp(clock: Clock | undefined): string {
  return clock ? String(clock.now()) : ''
}
