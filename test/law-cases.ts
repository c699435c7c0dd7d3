/*
 * How often laws and long proofs are tried. `npm test` tries 1 % of the cases, `npm run nightly` all of them. Random cases
 * follow from a seed, so that a failure of the night can be repeated.
 */

const night = process.env['PLASMID_NIGHTLY']

/** The part of all cases that this run tries. `PLASMID_NIGHTLY=0.05` tries a nightly proof in minutes. */
const SHARE = night === undefined ? 0.01 : Number(night)

/**
 * How many cases a law is tried on, how often a proof is repeated.
 *
 * @param least the fewest that show anything
 */
export function cases(atNight: number, least = 1): number {
  return Math.max(least, Math.ceil(atNight * SHARE))
}

/** The same every day, another one every night; `PLASMID_NIGHTLY_SEED` sets it. */
export const SEED = Number(
  process.env['PLASMID_NIGHTLY_SEED'] ?? (night === undefined ? 1 : Math.floor(Date.now() / 86_400_000)),
)

/** Prints one line about a long proof: its name, its extent, its findings. Silent by day. */
export function report(proof: string, what: string): void {
  if (night !== undefined) process.stdout.write(`${proof}: ${what} [seed ${SEED}]\n`)
}

/** Reports each finished tenth of a long proof. */
export function reportProgress(proof: string, done: number, all: number): void {
  const tenth = (of: number) => Math.floor((of * 10) / all)
  if (done < all && tenth(done) > tenth(done - 1)) report(proof, `${done} of ${all}`)
}
