import { hash, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { type Caller, LOCAL_USER } from '../../access/caller.ts'
import type { Verifier } from '../../access/verifier.ts'
import type { Clock } from '../../base/clock.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { KeptFile } from './kept-file.ts'
import { authProblem } from './problems.ts'
import { secretFile, secretIn } from './secret-file.ts'
import { AuthUnavailable } from './unavailable.ts'

/** The caller that holds the token. `stillHolds` compares it with the file again. */
type CallerOf = (stillHolds: () => Promise<boolean>) => Caller

/**
 * Verifies the token in the data directory (a file of mode 0600, created once): anyone who can read it is the local user.
 * The file is read again when it changes: a replaced token is refused from then on.
 *
 * Gives the problems of `secretFile`. The verifier throws `AuthUnavailable` if the file cannot be trusted any more.
 */
export async function localToken(
  dataDir: string,
  clock: Clock,
  callerOf: CallerOf = () => LOCAL_USER,
): Promise<Result<Verifier>> {
  const path = join(dataDir, 'token')
  const first = await secretFile(path)
  if (!first.ok) return first
  const file = new KeptFile<Buffer>(
    path,
    (text) => {
      const secret = secretIn(path, text)
      return secret.ok ? ok(digest(secret.value)) : secret
    },
    (reason) => failed([authProblem('secret_unreadable', { path, reason })]),
    clock,
  )
  return ok(tokenVerifier(file, callerOf))
}

/** Accepts the holder of the file's token as the local user. Compares in constant time. */
function tokenVerifier(file: KeptFile<Buffer>, callerOf: CallerOf): Verifier {
  const wantedNow = (): Buffer => {
    const wanted = file.now()
    if (!wanted.ok) throw new AuthUnavailable(wanted.problems.map(({ message }) => message).join(' '))
    return wanted.value
  }
  let held: { readonly wanted: Buffer; readonly caller: Caller } | undefined
  return {
    verify: async (bearer) => {
      const wanted = wantedNow()
      if (bearer === undefined || !timingSafeEqual(digest(bearer), wanted)) return null
      // One caller for one token, so that nothing that is kept by caller is made for each request.
      if (held?.wanted !== wanted)
        held = { wanted, caller: callerOf(async () => timingSafeEqual(wanted, wantedNow())) }
      return held.caller
    },
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
