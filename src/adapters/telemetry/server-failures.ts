/** Codes of requests that failed through no fault of their callers: an operator should look. */
const SERVER_FAILURES: ReadonlySet<unknown> = new Set([
  'internal_error',
  'unavailable',
  'access_unavailable',
  'store_replaced',
])

/** Does this code of a request report a failure of the server or of its store? */
export function isServerFailure(code: unknown): boolean {
  return SERVER_FAILURES.has(code)
}
