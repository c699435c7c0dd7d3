import type { Caller } from './caller.ts'

/** Tells who is calling from what a request proves. */
export interface Verifier {
  /**
   * The caller that the credential proves, or null where it proves nobody. Must not throw for what a caller sent.
   *
   * @param bearer the token of `Authorization: Bearer …`; undefined where there was none
   */
  verify(bearer: string | undefined): Promise<Caller | null>
}
