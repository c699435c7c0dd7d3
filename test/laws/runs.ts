/** How many cases a law is tried on: 100,000 at night, 5 % of them in the gate. */
export function cases(atNight: number): number {
  return process.env['PLASMID_NIGHTLY'] === '1' ? atNight : Math.ceil(atNight * 0.05)
}
