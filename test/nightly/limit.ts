import { SEED } from '../night.ts'

/** What all long proofs together may take: a night that hangs fails. A quiet machine of two cores needs a third of it. */
const MINUTES = 90

/** Called by vitest before the first test file. By day there is no such limit: each test has its own. */
export function setup(): (() => void) | undefined {
  if (process.env['PLASMID_NIGHTLY'] !== '1') return undefined
  // For the workers too, whatever day it is when they start.
  process.env['PLASMID_NIGHTLY_SEED'] = String(SEED)
  process.stdout.write(`nightly: at most ${MINUTES} minutes; PLASMID_NIGHTLY_SEED=${SEED} repeats it\n`)
  const end = setTimeout(() => {
    process.stderr.write(`nightly: not over after ${MINUTES} minutes, given up\n`)
    process.exit(1)
  }, MINUTES * 60_000)
  return () => clearTimeout(end)
}
