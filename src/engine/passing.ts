import type { Problem } from '../base/diagnostic.ts'
import { engineProblem } from './problems.ts'

/**
 * What a caller learns of an infrastructure error: the problem that the error names as `callerCode`, `unavailable` if it is
 * only marked as retryable, undefined for any other error. Its own text is for the log: it may name files.
 */
export function passingProblem(
  error: unknown,
): Problem<'unavailable' | 'access_unavailable' | 'store_replaced'> | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'callerCode' in error ? error.callerCode : undefined
  if (code === 'access_unavailable' || code === 'store_replaced') return engineProblem(code, {})
  return 'retryable' in error && error.retryable === true ? engineProblem('unavailable', {}) : undefined
}
