/*
 * Laws and proofs that are tried more often than a gate has time for: the whole at night (`npm run nightly`), 5 % of it
 * otherwise. What is random follows from the night's seed, so that what a night found can be found again.
 */

const isNight = process.env['PLASMID_NIGHTLY'] === '1'

/**
 * How many cases a law is tried on, how often a proof is repeated.
 *
 * @param byDay where 5 % are more than the gate has time for
 */
export function cases(atNight: number, byDay = Math.ceil(atNight * 0.05)): number {
  return isNight ? atNight : byDay
}

/** Of this night; `PLASMID_NIGHTLY_SEED` gives another's. Every day has the same. */
export const SEED = Number(
  process.env['PLASMID_NIGHTLY_SEED'] ?? (isNight ? Math.floor(Date.now() / 86_400_000) : 1),
)

/** One line about a long proof: what it is, how far it came, what it found. */
export function tell(proof: string, what: string): void {
  const seed = isNight ? ` [seed ${SEED}]` : ''
  process.stdout.write(`${proof}: ${what}${seed}\n`)
}

/** Tells at night when another tenth of a proof is done. */
export function tellProgress(proof: string, done: number, all: number): void {
  const tenth = (of: number) => Math.floor((of * 10) / all)
  if (isNight && done < all && tenth(done) > tenth(done - 1)) tell(proof, `${done} of ${all}`)
}
