/** What callers are told by cannot be had just now: nobody is proved or refused until it can. */
export class AuthUnavailable extends Error {
  override readonly name = 'AuthUnavailable'
  /** The same request may be sent again in a moment. */
  readonly retryable = true
}
