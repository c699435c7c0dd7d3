const isNight = process.env['PLASMID_NIGHTLY'] === '1'

/** How many cases a law is tried on: 100,000 at night, 5 % of them in the gate. */
export function cases(atNight: number): number {
  return isNight ? atNight : Math.ceil(atNight * 0.05)
}

/** The same for what takes long: a number of its own by day. */
export function rounds(atNight: number, byDay: number): number {
  return isNight ? atNight : byDay
}
