import type { Seeded } from './seeded.ts'

/** One call of a greedy caller, and the answers that its API gives meanwhile. */
export interface Greedy {
  readonly family: string
  /** Of the HTTP API. */
  readonly path: string
  readonly body: object
  readonly answer: { readonly rows: number; readonly cell: number; readonly kind: string }
}

/** The most bytes of one answer. */
const ANSWER_BYTES = 7_000_000
/** The bytes of the other columns of a row. */
const ROW_BYTES = 150
/** The longest program, in bytes. */
const PROGRAM_BYTES = 65_000

type Family = (random: Seeded) => Omit<Greedy, 'family' | 'answer'>

const run = (program: string) => ({ path: '/v1/contexts/s0/run', body: { program } })
const plan = (program: string) => ({ path: '/v1/contexts/s0/plan', body: { program } })
/** As many parts as a program may have bytes. */
const filled = (part: (index: number) => string, separator = ', ', most = Infinity) => {
  let text = ''
  for (let index = 0; index < most && text.length < PROGRAM_BYTES - 200; index++)
    text += `${text && separator}${part(index)}`
  return text
}
/** The most steps of a program; the most values of one, as each is followed by a comma. */
const [STEPS, VALUES] = [490, 4900]

/** Each makes the server work in another way. */
const FAMILIES: Readonly<Record<string, Family>> = {
  rows: () => run('e1'),
  columns: () => run('x = e1\nx[id, notes], x[id, name], x[notes], x'),
  roots: (random) =>
    run(`x = e1\n${filled(() => `x[${random.pick(['tags', 'notes', 'id'])}]`, ', ', STEPS / 2)}`),
  page: () => run('x = e1[id, notes, tags]\nx, x, x'),
  next: () => run('page(s0_pg1)[id]'),
  sort: () => run('x = e1\nx.sort(notes, desc)[id], x.sort(name)[id], x.sort(tags)[id]'),
  group: () => run('x = e1\nx.group_by(notes, n=count), x.group_by(name, n=count, m=max(notes))'),
  filter: () => run('x = e1\nx{notes~"words that are not there"}[id], x{name~r}[id]'),
  members: () => run(`x = e1\nx{name=[${filled((index) => `"Customer ${index}"`, ', ', VALUES)}]}[id]`),
  template: (random) =>
    run(
      `x = e1[id, notes]\nx <<T\n{% for r in rows %}{{ r.notes | ${random.pick(['upper', 'length', 'replace("w", "ww")', 'reverse', 'trim'])} }}{% endfor %}\nT`,
    ),
  each: () => run('x = e1.limit(2000)\nx => Customer(_.id)'),
  labels: () => run(`${filled((index) => `a${index} = e1("c${index % 9}")[id, name]`, '\n', STEPS / 2)}\na1`),
  planned: () => plan(`${filled((index) => `a${index} = e1{name=x${index}}`, '\n', STEPS)}\na1`),
  list: () => plan(`e1{name=[${filled((index) => `x${index}`, ', ', VALUES)}]}`),
  longList: () => plan(`e1{name=[${filled((index) => `"${'x'.repeat(8)}${index}"`, ',', VALUES)}]}`),
  deep: () => plan(`e1{name=${'['.repeat(190)}x${']'.repeat(190)}}`),
  slips: () => plan(filled(() => 'e1{name=x}.sort(-name)', '\n', STEPS / 2)),
  wrong: () => plan(`${filled((index) => `a${index} = e1.nme${index}{nmae=x}.srot(x)`, '\n', STEPS)}\na1`),
  text: () => plan(`e1{name="${'x${e1("c1").name}'.repeat(3000)}"}`),
  pieces: (random) => {
    const [before, again, after] = [2, 3, 2].map((most) =>
      Array.from({ length: 1 + random.next(most) }, () =>
        random.pick([...PIECES, ' ', '\n', '<<T\n', 'T\n']),
      ).join(''),
    )
    return plan(`${before}${filled(() => again ?? '', '')}${after}`)
  },
  intent: (random) => ({
    path: '/v1/discover',
    body: { intent: filled(() => random.pick(['customer', 'odrer', 'buys', 'zzz']), ' ').slice(0, 4000) },
  }),
}
/** What programs are made of, and what other languages are. */
const PIECES =
  `e1 Customer ( ) [ ] { } = ~ " ' . , ;; => x a1 _ $ \${ | - / \\ # && and where order sort(x) .sort(name) limit(5) .limit(5) "x" 1 2026-01-01 .name [id] {name=x} (1) e1{ name= .orders .count() select * from x for x in y return let \`\`\` ? * + < > != : shop: {{ }} =[x, page( .map(x => x) [0] |>`.split(
    ' ',
  )
const KINDS = ['plain', 'lists', 'escapes', 'digits'] as const
/** The bytes of a row for each character of its cell: a list holds as much again, escapes are written twice. */
const BYTES = { plain: 1, lists: 1.8, escapes: 2, digits: 1 }

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
  const kind = random.pick(KINDS)
  const row = (ANSWER_BYTES / rows) * random.pick([0.1, 0.5, 1]) - ROW_BYTES
  return {
    family,
    ...make(random),
    answer: { rows, cell: Math.max(0, Math.floor(row / BYTES[kind])), kind },
  }
}
