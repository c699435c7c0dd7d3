/** The rest of a longer name is ignored. */
const MAX_NAME_LENGTH = 400

/** The words of a name of any spelling, in lower case: `getHTTPStatus` and `get-http_status` give `get`, `http`, `status`. */
export function wordsOf(name: string): string[] {
  return piecesOf(name.slice(0, MAX_NAME_LENGTH))
    .flatMap(splitCamel)
    .map((word) => word.toLowerCase())
}

/** A name in snake case: `HTTPRoute` and `http route` give `http_route`. */
export function snake(name: string): string {
  return wordsOf(name).join('_')
}

/** A name in Pascal case: `HTTPRoute` and `http_route` give `HttpRoute`. */
export function pascal(name: string): string {
  return wordsOf(name).map(capitalized).join('')
}

/** A name in camel case: `HTTPRoute` and `http_route` give `httpRoute`. */
export function camel(name: string): string {
  return wordsOf(name)
    .map((word, at) => (at === 0 ? word : capitalized(word)))
    .join('')
}

/** Runs of letters and digits, without accents: `Pokémon` and `Pokemon` are one word. */
export function piecesOf(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replaceAll(ACCENTS, '').normalize('NFC')
  return plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

const ACCENTS = /[\u0300-\u036F]/g

/** The parts of a piece in camel case: `PullRequest` gives `Pull`, `Request`. */
export function splitCamel(piece: string): readonly string[] {
  // Most words have no capital inside, and need no replacement.
  if (!/.\p{Lu}/u.test(piece)) return [piece]
  return piece
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .split(' ')
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
