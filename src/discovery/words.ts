import { stem } from './stem.ts'

/** Longer tokens are not words. */
const MAX_WORD_LENGTH = 64

/** The words of a text as typed, in lower case: `GitHub's issues` gives `github`, `s`, `issues`. */
export function rawWords(text: string): string[] {
  return pieces(text.toLowerCase())
}

/** The stems of a text, with camel case and snake case split; a name that was split is also included whole. */
export function stems(text: string): string[] {
  return pieces(text).flatMap((piece) => {
    const parts = splitCamel(piece)
    return (parts.length > 1 ? [...parts, piece] : parts).map((part) => stem(part.toLowerCase()))
  })
}

/** The stems of a name's parts: `PullRequest` gives `pull`, `request`. */
export function nameStems(name: string): string[] {
  return pieces(name).flatMap((piece) => splitCamel(piece).map((part) => stem(part.toLowerCase())))
}

/** Runs of letters and digits, without accents: `Pokémon` and `Pokemon` are one word. */
export function pieces(text: string): string[] {
  const found = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .match(/[\p{L}\p{M}\p{N}]+/gu)
  return (found ?? []).map((piece) => piece.slice(0, MAX_WORD_LENGTH))
}

/** The parts of a name in camel case: `PullRequest` gives `Pull`, `Request`. */
export function splitCamel(piece: string): string[] {
  return piece
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .split(' ')
}
