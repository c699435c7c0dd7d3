import { stem } from './stem.ts'

/** Words that say nothing about which entity is meant. */
const STOP = new Set(
  (
    'a about above across after again all almost already also always like full public whole available existing matching mentioning called metadata am an and any anything are as at away back be because been ' +
    'before being between both but by can current currently could did do does doing done down during each either else ' +
    'enough etc ever every everybody everything few for from further given goes going got had has have having her here him his how i if ' +
    'in including info information instead into is it its itself just kind latest least less lot made many may me might more ' +
    'most much must my myself name named nearly need never new newest next no nobody none nor not nothing now of off often old on ' +
    'once one only or other others our ours out over own particular per please previous quite rather really recent recently related ' +
    'same several shall she should since so some somebody something soon still such than that the their them then there these they ' +
    'thing things this those through till to together too toward under until up upon upcoming us use used using very via want wants ' +
    'was way we well were what whatever when where whether which while who whom whose why will wish with within without would ' +
    'yet you your yours ' +
    // Counting, measuring and time: values of what is asked for.
    'best worst big bigger biggest large larger largest small long longer high highest low lowest top average two three ' +
    'four five six seven eight nine ten dozen hundred thousand million half first second third last ' +
    'today tomorrow yesterday tonight night morning evening day week weekend month quarter year hour minute ago daily weekly monthly ' +
    'monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december ' +
    // What every API has.
    'api app application data detail details id ids info content string text url'
  ).split(' '),
)

/** Words that most APIs have a use for: they count half. */
const WEAK = new Set('user item type field record value number object entry'.split(' '))

/** What an operation is called, by the kind of capability that does it. */
const VERBS: Readonly<Record<string, string>> = {
  query: 'list show find look browse filter fetch count query sort see go enumerate surface',
  search: 'search lookup',
  get: 'get read view open retrieve inspect check tell bring load download',
  create:
    'create add insert post write send submit file start register place leave make generate put prepare log enter',
  update: 'update edit change modify rename set assign mark patch correct fix adjust',
  delete: 'delete remove drop erase clear destroy cancel discard',
  action: 'run trigger close reopen archive merge approve reject move apply request',
  // What an agent does with any rows, whatever they are rows of.
  '': 'summarise summarize summary compare collect gather analyse analyze sum total group explain save copy sync export turn convert keep know help take happen',
}

/** Groups of nouns that name the same thing in different products. */
const NOUNS = [
  'issue bug ticket defect incident',
  'repository repo codebase',
  'message mail email dm chat',
  'user person people member account colleague teammate',
  'customer client buyer shopper',
  'product article goods merchandise',
  'order purchase',
  'review rating feedback opinion',
  'comment reply remark feedback',
  'event meeting appointment',
  'document doc page',
  'image photo picture sprite',
  'task todo',
  'label tag',
  'payment charge transaction',
  'invoice bill',
  'folder directory',
  'conversation thread',
  'movie film',
  'song track music',
  'location place area',
  'ability skill',
  'move attack',
  'job build pipeline',
  'workflow ci pipeline',
  'design mockup prototype',
  'post article',
  'calendar schedule agenda',
  'worklog timesheet',
  'restart rerun retry',
]

/** Short forms, and the words that they stand for. */
const SHORT = new Map([
  ['pr', ['pull', 'request']],
  ['prs', ['pull', 'request']],
])

const kinds = new Map(
  Object.entries(VERBS).flatMap(([kind, words]) => words.split(' ').map((word) => [stem(word), stem(kind)])),
)

const alike = new Map<string, Set<string>>()
for (const group of NOUNS) {
  const members = group.split(' ').map(stem)
  for (const one of members) {
    const others = alike.get(one) ?? new Set()
    for (const other of members) if (other !== one) others.add(other)
    alike.set(one, others)
  }
}

/** Does the word, in lower case, say nothing about which entity is meant? */
export const isStop = (word: string): boolean => STOP.has(word)

/** Does the word, in lower case, fit most APIs? */
export const isWeak = (word: string): boolean => WEAK.has(word)

/** The words that a short form stands for; the word itself where it is none. */
export const spelledOut = (word: string): readonly string[] => SHORT.get(word) ?? [word]

/** The stem of the kind of operation that the stem of a verb asks for; empty where it is one of the agent's own. */
export const kindOfVerb = (root: string): string | undefined => kinds.get(root)

/** The stems of what else people call the same thing. */
export const synonymsOf = (root: string): readonly string[] => [...(alike.get(root) ?? [])]
