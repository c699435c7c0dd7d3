/* eslint-disable no-control-regex -- these are what is taken out */
/** Terminal escape sequences: colours, cursor movement, titles. */
const ESCAPES =
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|\u001B[ -/]*[0-~]/g
/** Control characters, line ends and invisible characters: joiners, directional marks, tags, lone surrogates. */
const UNSEEN = /(?:\p{Cf}|\p{Cs}|\p{Default_Ignorable_Code_Point})+/gu
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
const SPACES = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu

/**
 * Reduces text from outside to one visible line of at most `longest` Unicode scalar values, with `…` where it was cut. It
 * cannot forge a column or a row, move a cursor, or hide characters.
 */
export function oneLine(text: string, longest: number): string {
  // Bounds the work: the text that is cut off here is far beyond the visible part.
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

/** The multiple of the visible length that is processed. */
const READ = 16
