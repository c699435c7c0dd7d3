import type { Seeded } from './seeded.ts'

/** One call of a greedy caller, and the answers that its API gives meanwhile. */
export interface Greedy {
  readonly family: string
  /** Of the HTTP API. */
  readonly path: string
  readonly body: object
  readonly answer: { readonly rows: number; readonly cell: number; readonly kind: string }
}

/** The most bytes of one answer, with room for the names of its columns. */
const ANSWER_BYTES = 7_000_000
/** The longest program, in bytes. */
const PROGRAM_BYTES = 65_000

type Family = (random: Seeded) => Omit<Greedy, 'family' | 'answer'>

const run = (program: string) => ({ path: '/v1/contexts/s0/run', body: { program } })
const plan = (program: string) => ({ path: '/v1/contexts/s0/plan', body: { program } })
const filled = (part: (index: number) => string, separator = ', ') => {
  let text = ''
  for (let index = 0; text.length < PROGRAM_BYTES - 200; index++) text += `${text && separator}${part(index)}`
  return text
}

/** Each makes the server work in another way. */
const FAMILIES: Readonly<Record<string, Family>> = {
  rows: () => run('e1'),
  columns: () => run('x = e1\nx[id, notes], x[id, name], x[notes], x'),
  sort: () => run('x = e1\nx.sort(notes, desc)[id], x.sort(name)[id], x.sort(tags)[id]'),
  group: () => run('x = e1\nx.group_by(notes, n=count), x.group_by(name, n=count, m=max(notes))'),
  filter: () => run('x = e1\nx{notes~"words that are not there"}[id], x{name~r}[id]'),
  members: () => run(`x = e1\nx{name=[${filled((index) => `"Customer ${index}"`)}]}[id]`),
  template: (random) =>
    run(
      `x = e1[id, notes]\nx <<T\n{% for r in rows %}{{ r.notes | ${random.pick(['upper', 'length', 'replace("w", "ww")', 'reverse', 'trim'])} }}{% endfor %}\nT`,
    ),
  each: () => run('x = e1.limit(2000)\nx => {id=_.id, a=_.notes, b=_.name, c=_.notes}'),
  labels: () => run(`${filled((index) => `a${index} = e1("c${index % 9}")[id, name]`, '\n')}\na1`),
  planned: () => plan(`${filled((index) => `a${index} = e1{name=x${index}}`, '\n')}\na1`),
  list: () => plan(`e1{name=[${filled((index) => `x${index}`)}]}`),
  deep: () => plan(`e1{name=${'['.repeat(190)}x${']'.repeat(190)}}`),
  wrong: () => plan(`${filled((index) => `a${index} = e1.nme${index}{nmae=x}.srot(x)`, '\n')}\na1`),
  text: () => plan(`e1{name="${'x${e1("c1").name}'.repeat(3000)}"}`),
  intent: (random) => ({
    path: '/v1/discover',
    body: { intent: filled(() => random.pick(['customer', 'odrer', 'buys', 'zzz']), ' ').slice(0, 4000) },
  }),
}
const KINDS = ['plain', 'lists', 'escapes', 'digits'] as const

/** A random call. */
export function anyGreedy(random: Seeded): Greedy {
  return greedy(random, random.pick(Object.keys(FAMILIES)))
}

/** A call like this one: the search goes on where it found something. */
export function like(random: Seeded, { family }: Greedy): Greedy {
  return greedy(random, family)
}

function greedy(random: Seeded, family: string): Greedy {
  const make = FAMILIES[family]
  if (!make) throw new Error(`no family ${family}`)
  const rows = random.pick([1, 30, 1000, 9000])
  const cell = Math.floor(ANSWER_BYTES / rows / 60) * random.pick([6, 30, 60])
  return {
    family,
    ...make(random),
    answer: { rows, cell: Math.max(0, cell - 150), kind: random.pick(KINDS) },
  }
}
