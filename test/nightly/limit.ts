/** What all long proofs together may take: a night that hangs fails. */
const MINUTES = 60

/** Called by vitest before the first test file. By day there is no such limit: each test has its own. */
export function setup(): (() => void) | undefined {
  if (process.env['PLASMID_NIGHTLY'] !== '1') return undefined
  const end = setTimeout(() => {
    process.stderr.write(`nightly: not over after ${MINUTES} minutes, given up\n`)
    process.exit(1)
  }, MINUTES * 60_000)
  return () => clearTimeout(end)
}
