/** The data that verifies callers cannot be read for now: no credential is accepted or rejected. */
export class AuthUnavailable extends Error {
  override readonly name = 'AuthUnavailable'
  /** The same request may succeed in a moment. */
  readonly retryable = true
  /** The problem of the engine that a caller gets. */
  readonly callerCode = 'access_unavailable'
}
