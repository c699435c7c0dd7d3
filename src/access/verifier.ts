import type { Caller } from './caller.ts'

/** Authenticates requests. */
export interface Verifier {
  /**
   * The caller that the credential proves, or null if it is invalid. Must not throw for any input of a caller.
   *
   * @param bearer the token of `Authorization: Bearer …`; undefined if there was none
   */
  verify(bearer: string | undefined): Promise<Caller | null>
}
