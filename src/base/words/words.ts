import { piecesOf, splitCamel, wordsOf } from './names.ts'
import { stem } from './stem.ts'

/** Longer tokens are cut. */
const MAX_WORD_LENGTH = 64

/** Function words and words of any request: they say nothing about what is wanted. */
const STOP = new Set(
  (
    'a an the this that these those each every all any some no both either neither another few several most many much ' +
    'i me my mine we us our ours you your yours he him his she her hers it its they them their theirs who whom whose which what ' +
    'of in on at by for from with without about against between into onto out over under to toward towards through per via as than ' +
    'near during until till within across among around inside outside like up off upon so then also only just not yet again here there ' +
    'where how why when whenever if after before while because since once unless and or but plus ' +
    'is are was were be been being am do does did doing done has have had having can could will would should shall may might must ' +
    'please want wants need needs let lets get gets give gives show shows tell find finds list see look'
  ).split(' '),
)

/** Does the word, in lower case, say nothing about what is wanted? */
export const isStop = (word: string): boolean => STOP.has(word)

/** The words that a text is searched by: without stop words; a name that was split is also included whole. */
export function keywords(text: string): string[] {
  return pieces(text)
    .flatMap((piece) => {
      const parts = splitCamel(piece)
      return parts.length > 1 ? [...parts, piece] : parts
    })
    .map((part) => part.toLowerCase())
    .filter((word) => !STOP.has(word))
}

/** The stems of a text's keywords. */
export function terms(text: string): string[] {
  return keywords(text).map(stem)
}

/** The stems of a name's parts: `PullRequest` gives `pull`, `request`. */
export function nameStems(name: string): string[] {
  return wordsOf(name).map(stem)
}

/** Runs of letters and digits, without accents; long ones are cut. */
export function pieces(text: string): string[] {
  return piecesOf(text).map((piece) => piece.slice(0, MAX_WORD_LENGTH))
}
