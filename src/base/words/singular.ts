/** Nouns whose singular the rules below would miss. */
const SINGULARS: ReadonlyMap<string, string> = new Map([
  ['people', 'person'],
  ['children', 'child'],
  ['men', 'man'],
  ['women', 'woman'],
  ['indices', 'index'],
  ['matrices', 'matrix'],
  ['vertices', 'vertex'],
  ['criteria', 'criterion'],
  ['analyses', 'analysis'],
  ['axes', 'axis'],
  ['statuses', 'status'],
  ['aliases', 'alias'],
  ['viruses', 'virus'],
  ['bonuses', 'bonus'],
  ['buses', 'bus'],
  ['campuses', 'campus'],
  ['canvases', 'canvas'],
  ['quizzes', 'quiz'],
  ['heroes', 'hero'],
  ['menus', 'menu'],
  ['movies', 'movie'],
  ['cookies', 'cookie'],
  ['caches', 'cache'],
  ['niches', 'niche'],
])

/** Words that end like a plural without being one. */
const UNCHANGED = new Set(
  'alias always atlas bias canvas chaos cosmos kubernetes lens macos news series species'.split(' '),
)

/** The singular of an English noun in lower case: `stories` gives `story`. */
export function singular(word: string): string {
  const irregular = SINGULARS.get(word)
  if (irregular !== undefined) return irregular
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word) || UNCHANGED.has(word)) return word
  if (/.[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`
  return /(?:ss|sh|ch|x|zz)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}
