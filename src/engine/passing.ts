import type { Problem } from '../base/diagnostic.ts'
import { engineProblem } from './problems.ts'

/** What callers are told of lost infrastructure that says of itself that it will be back; nothing for any other error. */
export function passingProblem(error: unknown): Problem<'unavailable'> | undefined {
  const isPassing = error instanceof Error && 'retryable' in error && error.retryable === true
  return isPassing ? engineProblem('unavailable', {}) : undefined
}
