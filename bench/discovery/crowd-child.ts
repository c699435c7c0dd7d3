import { loadWordTable } from '../../src/adapters/embedder/load.ts'
import { pin } from '../../src/catalog/digest.ts'
import { catalogSet } from '../../src/catalog/lookup.ts'
import { readPlasm } from '../../src/catalog/readers/plasm/read.ts'
import { discover, prepare } from '../../src/discovery/discover.ts'

/*
 * Makes catalogs, prepares discovery over them, and answers goals: sends the median CPU time of a goal in ms, and the bytes that
 * discovery itself holds. The arguments are the number of catalogs and of goals.
 */

const [catalogs = 500, goals = 400] = process.argv.slice(2).map(Number)
const ENTITIES = 10
const SUBJECTS =
  'invoice customer order shipment parcel warehouse supplier contract employee salary vacation meeting room calendar message channel file folder photo album song playlist artist movie review ticket comment label project sprint branch release build deployment server zone record certificate account payment refund subscription coupon product category cart address country city flight booking hotel guest patient doctor prescription course student lesson exam grade book author library loan recipe ingredient menu table sensor reading device alarm vehicle driver route station weather forecast portfolio stock bond trade wallet token transfer block election candidate law court case witness'.split(
    ' ',
  )
const FIELDS =
  'name state owner amount currency due_date created_at priority city language size weight'.split(' ')
const SETTINGS = 'retail hospital school airline bank museum factory harbour farm studio'.split(' ')
const VERBS = 'list find show create update close cancel export'.split(' ')

/**
 * The same numbers in each run.
 *
 * @yields whole numbers from 1 to 2^31 - 2
 */
function* numbers(): Generator<number, never> {
  for (let state = 1; ;) yield (state = (state * 48_271) % 2_147_483_647)
}
const random = numbers()
const oneOf = (words: readonly string[]) => words[random.next().value % words.length] ?? ''

function catalogText(index: number): string {
  const setting = oneOf(SETTINGS)
  const nouns = new Set<string>()
  while (nouns.size < ENTITIES) nouns.add(oneOf(SUBJECTS))
  const entities = [...nouns].map((noun) => {
    const fields = FIELDS.filter(() => random.next().value % 2 === 0).map(
      (field) => `${field}: { value_ref: text }`,
    )
    return `  ${noun}:\n    description: A ${noun} of the ${setting}\n    fields: { ${['id: { value_ref: text }', ...fields].join(', ')} }`
  })
  const row = (noun: string, kind: string) =>
    `  ${noun}_${kind}: { kind: ${kind}, entity: ${noun}, description: ${kind} of a ${noun} at the ${setting}, parameters: [{ name: ${kind === 'query' ? 'state' : 'detail'}, value_ref: text }] }`
  const capabilities = [...nouns].flatMap((noun) => ['query', 'get', 'create'].map((kind) => row(noun, kind)))
  const template = (noun: string) =>
    `  ${noun}_query: { method: GET, path: [{ type: literal, value: ${noun} }], query: { type: object, fields: [[state, { type: var, name: state, optional: true }]] } }
  ${noun}_get: { method: GET, path: [{ type: literal, value: ${noun} }, { type: var, name: id }], query: { type: object, fields: [[detail, { type: var, name: detail, optional: true }]] } }
  ${noun}_create: { method: POST, path: [{ type: literal, value: ${noun} }], body: { type: var, name: input } }`
  return `entry_id: ${setting}-${index}
description: The ${setting} number ${index}
http_backend: https://api.example
values: { text: { type: string, string_semantics: short } }
entities:\n${entities.join('\n')}
capabilities:\n${capabilities.join('\n')}
mappings:\n${[...nouns].map(template).join('\n')}
`
}

function bytes(): number {
  for (let round = 0; round < 5; round++) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const read = Array.from({ length: catalogs }, (_, index) => {
  const { catalog, errors } = readPlasm({
    path: 'generated',
    id: `generated-${index}`,
    domain: { file: 'catalog.yaml', text: catalogText(index) },
  })
  if (!catalog) throw new Error(JSON.stringify(errors.slice(0, 3)))
  return pin(catalog)
})
const set = catalogSet(read)
const before = bytes()
const embedder = await loadWordTable()
for (const _ of prepare(set, embedder));
const everything = { mayUseCatalog: () => true, mayUseCapability: () => true }
const answer = () => {
  const intent = `${oneOf(VERBS)} every ${oneOf(SUBJECTS)} of the ${oneOf(SETTINGS)} by ${oneOf(FIELDS)}`
  const start = process.cpuUsage()
  const { rows } = discover(set, { intent }, everything, embedder)
  if (rows.length === 0) throw new Error(`nothing serves ${intent}`)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
for (let warm = 0; warm < goals / 4; warm++) answer()
const held = bytes() - before
const times = Array.from({ length: goals }, answer).toSorted((a, b) => a - b)
process.send?.({ milliseconds: times[Math.floor(times.length / 2)], bytes: held, catalogs: set.byId.size })
process.disconnect?.()
