/** How many cases a law is tried on, how often a proof is repeated: all at night, 5 % of them in the gate. */
export function cases(atNight: number): number {
  return isNight ? atNight : Math.ceil(atNight * 0.05)
}

const isNight = process.env['PLASMID_NIGHTLY'] === '1'
