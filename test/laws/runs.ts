/** How many cases a law is tried on: 100,000 at night, 5 % of them in the gate, or less where each takes long. */
export function cases(atNight: number, inGate = 0.05): number {
  return process.env['PLASMID_NIGHTLY'] === '1' ? atNight : Math.ceil(atNight * inGate)
}
