import type { Problem } from '../base/diagnostic.ts'
import { engineProblem } from './problems.ts'

/** `unavailable` for an infrastructure error that is marked as retryable; undefined for any other error. */
export function passingProblem(error: unknown): Problem<'unavailable'> | undefined {
  const isPassing = error instanceof Error && 'retryable' in error && error.retryable === true
  return isPassing ? engineProblem('unavailable', {}) : undefined
}
