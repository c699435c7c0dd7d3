import { hash, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { type Caller, LOCAL_USER } from '../../access/caller.ts'
import type { Verifier } from '../../access/verifier.ts'
import { ok, type Result } from '../../base/diagnostic.ts'
import { secretFile } from './secret-file.ts'

/**
 * Verifies the token in the data directory (a file of mode 0600, created once): anyone who can read it is the local user.
 *
 * Gives the problems of `secretFile`.
 */
export async function localToken(dataDir: string, caller: Caller = LOCAL_USER): Promise<Result<Verifier>> {
  const token = await secretFile(join(dataDir, 'token'))
  return token.ok ? ok(tokenVerifier(token.value, caller)) : token
}

/** Accepts the holder of one token as the local user. Compares in constant time. */
function tokenVerifier(token: string, caller: Caller): Verifier {
  const wanted = digest(token)
  return {
    verify: async (bearer) =>
      bearer !== undefined && timingSafeEqual(digest(bearer), wanted) ? caller : null,
  }
}

/** Accepts every request, as `--auth off` asks for. */
export function everybody(caller: () => Caller): Verifier {
  return { verify: async () => caller() }
}

/** Digests have equal length, which the constant-time comparison requires. */
function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
