import { SEED } from '../law-cases.ts'

/** The time limit of all long proofs together. A quiet machine of two cores needs a third of it. */
const MINUTES = 90

/** Vitest calls this before the first test file. `npm test` has no such limit: each of its tests has one. */
export function setup(): (() => void) | undefined {
  if (process.env['PLASMID_NIGHTLY'] === undefined) return undefined
  // Workers that start after midnight use the same seed.
  process.env['PLASMID_NIGHTLY_SEED'] = String(SEED)
  process.stdout.write(`nightly: at most ${MINUTES} minutes; PLASMID_NIGHTLY_SEED=${SEED} repeats it\n`)
  const end = setTimeout(() => {
    process.stderr.write(`nightly: stopped after ${MINUTES} minutes\n`)
    process.exit(1)
  }, MINUTES * 60_000)
  return () => clearTimeout(end)
}
