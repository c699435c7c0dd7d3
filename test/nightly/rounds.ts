/** How often something is done that takes long: the whole at night, a few times in the gate. */
export function rounds(atNight: number, byDay: number): number {
  return process.env['PLASMID_NIGHTLY'] === '1' ? atNight : byDay
}
