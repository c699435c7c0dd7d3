/** A word of an intent with everything that it may be called in a catalog. */
export interface Word {
  /** The stem as index and query share it. */
  readonly stem: string
  /** Stems of what else people call the same thing. */
  readonly synonyms: readonly string[]
  /** Tells what to do, not with what: every API creates and lists, so that a verb alone fits nothing. */
  readonly verb: boolean
}

/** More words than this are no longer a goal. */
const MOST_WORDS = 64

const STOP = new Set(
  (
    'a about above across after all also am an and any anything are as at be been before between but by can could do does doing ' +
    'down each etc every everything for from give had has have having her here him his how i if in info information into is it its ' +
    'just let like make many may me more most much must my name need new no not now of off on one only or other our out over own ' +
    'per please same shall she should so some something such tell than that the their them then there these they thing things this ' +
    'those through to too under until up url us use used using via want was way we were what when where which while who whom whose ' +
    'why will with within without would you your data detail details id ids first last ' +
    'text content string value field'
  ).split(' '),
)

/** What an operation is called, by the kind of capability that does it. */
const VERBS: Readonly<Record<string, string>> = {
  query: 'list show find look browse filter fetch count query sort top latest recent',
  search: 'search lookup',
  get: 'get read view open retrieve inspect check',
  create: 'create add insert post write send submit file start register place leave',
  update: 'update edit change modify rename set assign mark put patch correct',
  delete: 'delete remove drop erase clear destroy cancel',
  action: 'run trigger close reopen archive merge approve reject',
}

/** Groups of nouns that name the same thing in different products; the first one is what APIs usually say. */
const NOUNS = [
  'issue bug ticket defect incident',
  'repository repo codebase',
  'message mail email dm chat',
  'pull pr',
  'user person people member account colleague teammate',
  'customer client buyer shopper',
  'product article goods merchandise',
  'order purchase',
  'review rating feedback opinion',
  'event meeting appointment',
  'document doc page',
  'image photo picture sprite',
  'task todo',
  'comment reply remark',
  'label tag',
  'payment charge transaction',
  'invoice bill',
  'folder directory',
  'conversation thread',
  'movie film',
  'location place area',
  'ability skill',
  'move attack',
]

const kindOfVerb = new Map<string, string>()
for (const [kind, words] of Object.entries(VERBS))
  for (const word of words.split(' ')) kindOfVerb.set(stem(word), stem(kind))

const sameNouns = new Map<string, string[]>()
for (const group of NOUNS) {
  const members = group.split(' ').map(stem)
  for (const one of members)
    sameNouns.set(one, [...(sameNouns.get(one) ?? []), ...members.filter((other) => other !== one)])
}

/** The words of a text as typed, in lower case: `GitHub's issues` gives `github`, `s`, `issues`. */
export function rawWords(text: string): string[] {
  return pieces(text.toLowerCase())
}

/** The stems of a text, camel case and snake case split; a name that was split is there in one piece, too. */
export function stems(text: string): string[] {
  return pieces(text).flatMap((piece) => {
    const parts = splitCamel(piece)
    return (parts.length > 1 ? [...parts, piece] : parts).map((part) => stem(part.toLowerCase()))
  })
}

/** The words of an intent that can tell one entity from another, each once. */
export function wordsOf(intent: string): Word[] {
  const found = new Map<string, Word>()
  for (const piece of pieces(intent)) {
    const parts = splitCamel(piece)
    for (const part of parts.length > 1 ? [...parts, piece] : parts) {
      const lower = part.toLowerCase()
      if (lower.length < 2 || STOP.has(lower) || found.size >= MOST_WORDS) continue
      const own = stem(lower)
      const kind = kindOfVerb.get(own)
      const synonyms = [...(sameNouns.get(own) ?? []), ...(kind === undefined || kind === own ? [] : [kind])]
      found.set(own, { stem: own, synonyms, verb: kind !== undefined })
    }
  }
  return [...found.values()]
}

/** Letters and digits in a row, without accents: `Pokémon` and `Pokemon` are one word. */
function pieces(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/[\u0300-\u036F]/g, '')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
}

function splitCamel(piece: string): string[] {
  return piece
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .split(' ')
}

/** English endings taken off, so that `categories`, `category` and `pricing`, `price` meet. Rough, and the same on both sides. */
function stem(word: string): string {
  let root = word
  if (root.length > 4 && root.endsWith('ies')) root = `${root.slice(0, -3)}y`
  else if (root.length > 4 && /(?:ss|us|x|ch|sh|z)es$/.test(root)) root = root.slice(0, -2)
  else if (root.length > 3 && /[^su]s$/.test(root)) root = root.slice(0, -1)
  if (root.length > 5 && root.endsWith('ing')) root = undouble(root.slice(0, -3))
  else if (root.length > 4 && /[^e]ed$/.test(root)) root = undouble(root.slice(0, -2))
  return root.length > 3 && root.endsWith('e') ? root.slice(0, -1) : root
}

function undouble(root: string): string {
  return /([bdgmnprt])\1$/.test(root) ? root.slice(0, -1) : root
}
