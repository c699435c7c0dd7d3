import { counted } from './counted.ts'

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** A length of time in words, in its largest whole unit: `10 minutes`, `1 hour`, `90 seconds`. */
export function durationText(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms >= each && ms % each === 0) ?? ['second', 1000]
  return counted(Math.round(ms / size), unit)
}
