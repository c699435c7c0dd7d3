import { createSecretKey, type KeyObject } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { authProblem } from './problems.ts'
import { secretFile } from './secret-file.ts'

/** Bytes that a secret from the environment must have at least. */
const LEAST_BYTES = 16

/**
 * The deployment's secret: the given one (`PLASMID_SECRET`), else that of the file `secret` in the data directory, which
 * is made once. With both, they must be the same: two secrets would split every session in two.
 *
 * Gives `secret_differs`, `secret_too_short`, `secret_readable` or `secret_unreadable`.
 */
export async function deploymentSecret(
  dataDir: string,
  given: string | undefined,
): Promise<Result<KeyObject>> {
  const path = join(dataDir, 'secret')
  if (given === undefined) {
    const kept = await secretFile(path)
    return kept.ok ? ok(key(kept.value)) : kept
  }
  const bytes = Buffer.byteLength(given)
  if (bytes < LEAST_BYTES) {
    return failed([authProblem('secret_too_short', { where: 'PLASMID_SECRET', wanted: LEAST_BYTES, bytes })])
  }
  const isKept = await stat(path).then(
    () => true,
    () => false,
  )
  if (isKept) {
    const kept = await secretFile(path)
    if (!kept.ok) return kept
    if (kept.value !== given) return failed([authProblem('secret_differs', { name: 'PLASMID_SECRET', path })])
  }
  return ok(key(given))
}

/** The secret as a key: kept out of heap dumps and logs. */
function key(secret: string): KeyObject {
  return createSecretKey(secret, 'utf8')
}
