import { createHash, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { type Caller, LOCAL_USER } from '../../access/caller.ts'
import type { Verifier } from '../../access/verifier.ts'
import { ok, type Result } from '../../base/diagnostic.ts'
import { secretFile } from './secret-file.ts'

/**
 * Whoever can read the token file of the data directory (mode 0600, made once) is the local user; nobody else is
 * anybody.
 *
 * Gives the problems of `secretFile`.
 */
export async function localToken(dataDir: string, caller: Caller = LOCAL_USER): Promise<Result<Verifier>> {
  const token = await secretFile(join(dataDir, 'token'))
  return token.ok ? ok(tokenVerifier(token.value, caller)) : token
}

/** Takes the holder of one token for the local user. Compares in constant time. */
function tokenVerifier(token: string, caller: Caller): Verifier {
  const wanted = digest(token)
  return {
    verify: async (bearer) =>
      bearer !== undefined && timingSafeEqual(digest(bearer), wanted) ? caller : null,
  }
}

/** Asks for nothing: for `--auth off`, which the operator has to say. */
export function everybody(caller: () => Caller): Verifier {
  return { verify: async () => caller() }
}

/** Of one length for tokens of any length, as the comparison needs. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
