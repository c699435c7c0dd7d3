import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives all tests of this run one folder for temporary files, and removes it after the last one. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'plasmid-tests-'))
  process.env['TMPDIR'] = folder
  // A process that a failed test left behind may still write there.
  return () => rm(folder, { recursive: true, force: true, maxRetries: 3 })
}
