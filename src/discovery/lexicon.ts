import { stem } from './stem.ts'

/** What a function word does in a sentence. */
export type FunctionRole =
  'determiner' | 'preposition' | 'relative' | 'subordinate' | 'auxiliary' | 'pronoun' | 'and'

const FUNCTION_WORDS: readonly (readonly [FunctionRole, string])[] = [
  [
    'determiner',
    'a an the my our your his her its their this these those each every all any some no both either neither another few several most many much',
  ],
  [
    'preposition',
    'of in on at by for from with without about against between into onto out over under to toward towards through per via as than versus vs near behind during until till within across among around inside outside like up off upon down above below beside',
  ],
  ['relative', 'that which who whom whose where what how why'],
  ['subordinate', 'when whenever if after before while because since once unless so then'],
  [
    'auxiliary',
    'is are was were be been being am do does did doing done has have had having can could will would should shall may might must gets got getting cannot',
  ],
  [
    'pronoun',
    'i we you he she it they me us him them somebody someone nobody everyone everybody anybody who',
  ],
  ['and', 'and or but plus'],
]

/** Words that do not indicate an entity. */
const STOP = new Set(
  (
    'again almost already also always full public whole available existing matching mentioning called metadata anything ' +
    'away back became currently current down else enough etc ever everything further given goes going gone here ' +
    'info information including instead itself just kind kinds sort sorts latest least less lot made more ' +
    'myself name named nearly need never new newest next none nor not nothing now often old only other others ours own particular ' +
    'please previous quite rather really recent recently related same simply something soon still straight such thing things there till ' +
    'together too using used very want wants way well whether wish yet yours yes let lets free ready able right left open closed ' +
    'good better bad strong great nice long short whole entire complete different single specific certain various ' +
    // Counting, measuring and time: values of what is asked for.
    'best worst big bigger biggest large larger largest small long longer high highest low lowest top average two three ' +
    'four five six seven eight nine ten twenty fifty dozen hundred thousand million half first second third last percent amount number numbers count ' +
    'today tomorrow yesterday tonight night morning evening afternoon noon day week weekend month quarter year minute ago daily weekly monthly ' +
    'days weeks months years minutes time times end start ' +
    'monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december ' +
    // Words of every API.
    'api app application data detail details id ids content string text url'
  ).split(' '),
)

/** Words that fit most APIs: they count half. */
const WEAK = new Set('user item type field record value number object entry'.split(' '))

/** The kinds of operations; `own`: what an agent does with any rows, whatever they are rows of. */
export type VerbKind = 'query' | 'search' | 'get' | 'create' | 'update' | 'delete' | 'action' | 'own'

/** What an operation is called, by the kind of capability that does it. */
const VERBS: readonly (readonly [VerbKind, string])[] = [
  [
    'query',
    'list show find look browse filter fetch count query sort see go enumerate surface pick choose suggest recommend',
  ],
  ['search', 'search lookup hunt'],
  ['get', 'get read view open retrieve inspect check tell bring load download pull give watch receive'],
  [
    'create',
    'create add insert post write send submit file start register place leave make generate put prepare log enter book order begin compose draft build issue',
  ],
  [
    'update',
    'update edit change modify rename set assign mark patch correct fix adjust raise lower increase decrease',
  ],
  ['delete', 'delete remove drop erase clear destroy cancel discard throw'],
  ['action', 'run trigger close reopen approve reject move apply request turn pay kick return stop'],
  [
    'own',
    'summarise summarize summary compare collect gather analyse analyze sum total group explain save copy sync export keep know help take happen learn live sit stay belong hold say talk speak appear miss lack gain use plan let ask decide win lose',
  ],
]

/** Verbs that are as often nouns: they are verbs if an object follows. */
const NOUNS_TOO = new Set(
  'order book issue file post place log run plan draft build start return patch report play sign print charge'.split(
    ' ',
  ),
)

/** Short forms, and the words that they stand for. */
const SHORT = new Map([
  ['pr', ['pull', 'request']],
  ['prs', ['pull', 'request']],
])

const roles = new Map(
  FUNCTION_WORDS.flatMap(([role, words]) => words.split(' ').map((word) => [word, role] as const)),
)

const kinds = new Map(
  VERBS.flatMap(([kind, words]) => words.split(' ').map((word) => [stem(word), kind] as const)),
)

/** What the word, in lower case, does in a sentence; nothing where it says something itself. */
export const roleOf = (word: string): FunctionRole | undefined => roles.get(word)

/** Does the word, in lower case, say nothing about which entity is meant? */
export const isStop = (word: string): boolean => STOP.has(word) || roles.has(word)

/** Does the word, in lower case, fit most APIs? */
export const isWeak = (word: string): boolean => WEAK.has(word)

/** Is the verb, in lower case, as often a noun? */
export const isNounToo = (word: string): boolean => NOUNS_TOO.has(word)

/** The words that a short form stands for; the word itself where it is none. */
export const spelledOut = (word: string): readonly string[] => SHORT.get(word) ?? [word]

/** The kind of operation that the stem of a verb asks for; `reopen` asks for what `open` does. */
export const kindOfVerb = (root: string): VerbKind | undefined =>
  kinds.get(root) ?? (root.startsWith('re') ? kinds.get(root.slice(2)) : undefined)
