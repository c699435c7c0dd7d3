/* eslint-disable no-control-regex -- these are what is taken out */
/** What a terminal reads as a command: colours, cursor moves, titles. */
const ESCAPES =
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|\u001B[ -/]*[0-~]/g
/** Controls, line ends, and what is not seen: joiners, directions, tags, halves of pairs. */
export const UNSEEN = /(?:\p{Cf}|\p{Cs}|\p{Default_Ignorable_Code_Point})+/gu
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
const SPACES = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu

/**
 * A text from outside as one visible line of at most `longest` Unicode scalar values, `…` where it was cut: nothing in
 * it forges a column or a row, moves a cursor, or stands there unseen.
 */
export function oneLine(text: string, longest: number): string {
  // Long texts are not walked whole; what is cut off here is far beyond what is shown.
  const line = text
    .slice(0, longest * READ)
    .replace(ESCAPES, '')
    .replace(UNSEEN, '')
    .replace(SPACES, ' ')
    .trim()
  const scalars = Array.from(line)
  return scalars.length <= longest
    ? line
    : `${scalars
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
}

/** A line in which everything is visible: control and invisible characters are written as `\u{200b}`. */
export function visible(line: string): string {
  return line.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** How much more than what is shown is read. */
const READ = 16
