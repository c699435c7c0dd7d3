import type { Given } from './flags.ts'

/** The flags by which a later command finds what this one changed: ` --data-dir DIR`, or nothing. */
export function sameFlags(given: Given): string {
  return ['data-dir', 'config']
    .flatMap((flag) => {
      const value = given.text(flag)
      return value === undefined ? [] : [` --${flag} ${quoted(value)}`]
    })
    .join('')
}

/** As a shell reads it as one word. */
function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
