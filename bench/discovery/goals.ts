import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { readCatalogPath } from '../../src/adapters/catalogs/settled.ts'
import { pin } from '../../src/catalog/digest.ts'
import { catalogSet, type CatalogSet } from '../../src/catalog/lookup.ts'
import type { DiscoveryRow } from '../../src/discovery/rows.ts'
import { askingBySentences, askingByWords } from './asking.ts'

/*
 * How well discovery serves goals with known answers: `npm run discovery:goals -- GOALS.json --catalogs DIR`.
 *
 * A file is a list of `{goal, expected, kind}`. `expected` is a list of `[api, entity]`, all of which the goal needs, or of
 * lists of such pairs, one of which it needs; empty where nothing serves the goal. `kind` is any word: figures are by kind. `@12` counts the rows
 * and the entities that the answer names after them.
 *
 * `--catalogs DIR`: each file or folder in it is a catalog; may be repeated. `--misses`: prints what was not found.
 * `--embedder minilm`: compares by sentences; `--packages DIR` holds the packages of the model, which are fetched otherwise.
 */

type Pair = readonly [api: string, entity: string]
type Named = Pick<DiscoveryRow, 'api' | 'entity' | 'also'>
interface Goal {
  readonly goal: string
  readonly expected: readonly (Pair | readonly Pair[])[]
  readonly kind: string
}

const FIRST = 5
const ALL = 12

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    catalogs: { type: 'string', multiple: true, default: [] },
    misses: { type: 'boolean', default: false },
    embedder: { type: 'string', default: 'static' },
    packages: { type: 'string' },
  },
})
const set = await readAll(values.catalogs)
const asking = await (values.embedder === 'minilm'
  ? askingBySentences(set, values.packages)
  : askingByWords(set))
print(`${set.byId.size} catalogs`)
for (const file of positionals) {
  const goals: readonly Goal[] = JSON.parse(readFileSync(file, 'utf8'))
  print(`\n${basename(file)}`)
  const kinds = new Set(goals.map(({ kind }) => kind))
  for (const kind of kinds)
    await report(
      kind,
      goals.filter((goal) => goal.kind === kind),
    )
  if (kinds.size > 1) await report('all', goals)
  const apis = goals.flatMap(({ expected, goal }) => namedApis(goal, expected.map(optionsOf).flat()))
  let first = 0
  for (const { goal, api } of apis) first += (await answerTo(goal)).rows[0]?.api === api ? 1 : 0
  print(`the only API that the goal names is first: ${first} of ${apis.length}`)
}
await asking.end()

async function report(kind: string, goals: readonly Goal[]): Promise<void> {
  const answers: (Awaited<ReturnType<typeof answerTo>> & { goal: string; wanted: (readonly Pair[])[] })[] = []
  // One after another: a model of sentences leaves out goals that would wait long.
  for (const { goal, expected } of goals)
    answers.push({ goal, ...(await answerTo(goal)), wanted: expected.map(optionsOf) })
  const served = answers.filter(({ wanted }) => wanted.length > 0)
  const found = (rows: readonly Named[], wanted: readonly (readonly Pair[])[]) =>
    wanted.filter((options) => options.some((pair) => rows.some((row) => isRow(row, pair)))).length
  const share = (count: number, of: number) => (of === 0 ? '   -' : (count / of).toFixed(2))
  const all = served.reduce((sum, { wanted }) => sum + wanted.length, 0)
  const inFirst = served.reduce((sum, { rows, wanted }) => sum + found(rows.slice(0, FIRST), wanted), 0)
  const whole = (most: number) =>
    served.filter(({ named, wanted }) => found(named.slice(0, most), wanted) === wanted.length).length
  const weak = (some: typeof answers) =>
    some.filter(({ rows }) => rows.every(({ fit }) => fit === 'weak')).length
  const unserved = answers.filter(({ wanted }) => wanted.length === 0)
  const figures = [
    `goals ${goals.length}`,
    `recall@1 ${share(served.filter(({ rows, wanted }) => found(rows.slice(0, 1), wanted) > 0).length, served.length)}`,
    `recall@5 ${share(inFirst, all)}`,
    `all parts @5 ${share(whole(FIRST), served.length)}`,
    `@12 ${share(whole(ALL), served.length)}`,
    `weak ${share(weak(served), served.length)}`,
    `weak where nothing serves ${share(weak(unserved), unserved.length)}`,
    `rows ${(answers.reduce((sum, { rows }) => sum + rows.length, 0) / answers.length).toFixed(1)}`,
  ]
  print(`${kind.padEnd(14)} ${figures.join('  ')}`)
  if (!values.misses || kind === 'all') return
  for (const { goal, rows, wanted } of answers) {
    const missed = wanted.filter((options) => found(rows.slice(0, FIRST), [options]) === 0)
    const isWeak = rows.every(({ fit }) => fit === 'weak')
    if (missed.length === 0 && isWeak === (wanted.length === 0)) continue
    print(`  ${goal}${isWeak ? ' (weak)' : ''}`)
    for (const options of missed) print(`    missed ${options.map((pair) => pair.join(':')).join(' | ')}`)
    print(
      `    ${rows
        .slice(0, FIRST)
        .map(({ api, entity, fit }) => `${api}:${entity} ${fit}`)
        .join(', ')}`,
    )
  }
}

/** The rows, and what the answer names after them. */
async function answerTo(goal: string) {
  const { rows, topOmitted } = await asking.answerTo(goal)
  return { rows, named: [...rows, ...topOmitted.map((next) => ({ ...next, also: [] }))] }
}

function optionsOf(expected: Goal['expected'][number]): readonly Pair[] {
  return isPair(expected) ? [expected] : expected
}

function isPair(expected: Goal['expected'][number]): expected is Pair {
  return typeof expected[0] === 'string'
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function isRow({ api, also, entity }: Named, [wantedApi, wantedEntity]: Pair): boolean {
  return entity === wantedEntity && [api, ...also].includes(wantedApi)
}

/** The expected API whose id the goal contains, if it is the only one. */
function namedApis(goal: string, pairs: readonly Pair[]): { readonly goal: string; readonly api: string }[] {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')
  const apis = [...set.byId.keys()].filter((id) => plain(goal).includes(plain(id)))
  const [api] = apis
  return api !== undefined && apis.length === 1 && pairs.some(([one]) => one === api) ? [{ goal, api }] : []
}

async function readAll(folders: readonly string[]): Promise<CatalogSet> {
  const paths = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  const readings = await Promise.all(paths.map(readCatalogPath))
  return catalogSet(readings.flatMap(({ catalog }) => (catalog ? [pin(catalog)] : [])))
}
