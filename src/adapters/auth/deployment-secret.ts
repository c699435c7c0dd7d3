import { createSecretKey, type KeyObject } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { Secrets } from '../../base/hash.ts'
import { authProblem } from './problems.ts'
import { secretFile } from './secret-file.ts'

/** The minimum length of each secret, in bytes. */
const MIN_BYTES = 16

/**
 * The deployment's secrets, newest first, separated by white space: the configured ones (`PLASMID_SECRET`), else those of
 * the file `secret` in the data directory, which is created with one. If both exist, the configured ones must include all
 * of the file: sessions that were created under a missing one would be lost.
 *
 * Gives `secret_differs`, `secret_too_short`, `secret_readable` or `secret_unreadable`.
 */
export async function deploymentSecrets(
  dataDir: string,
  given: string | undefined,
): Promise<Result<Secrets>> {
  const path = join(dataDir, 'secret')
  if (given === undefined) {
    const kept = await secretFile(path)
    return kept.ok ? secretsIn(kept.value, path) : kept
  }
  const secrets = secretsIn(given, 'PLASMID_SECRET')
  if (!secrets.ok || !(await isThere(path))) return secrets
  const kept = await secretFile(path)
  if (!kept.ok) return kept
  const all = partsOf(given)
  return partsOf(kept.value).every((secret) => all.includes(secret))
    ? secrets
    : failed([authProblem('secret_differs', { name: 'PLASMID_SECRET', path })])
}

function partsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((part) => part !== '')
}

function secretsIn(text: string, where: string): Result<Secrets> {
  const [newest, ...older] = partsOf(text)
  const short = [newest ?? '', ...older].find((secret) => Buffer.byteLength(secret) < MIN_BYTES)
  if (newest === undefined || short !== undefined) {
    const bytes = Buffer.byteLength(short ?? '')
    const one = older.length > 0 ? `${where} (one of ${older.length + 1} that white space separates)` : where
    return failed([authProblem('secret_too_short', { where: one, wanted: MIN_BYTES, bytes })])
  }
  return ok([key(newest), ...older.map(key)])
}

/** The secret as a `KeyObject`: kept out of heap dumps and logs. */
function key(secret: string): KeyObject {
  return createSecretKey(secret, 'utf8')
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
