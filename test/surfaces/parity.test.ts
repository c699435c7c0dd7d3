import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { SURFACES, type Driver } from './drivers.ts'
import { startShopApi } from './shop-api.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures/catalogs/', import.meta.url))
const INTENT = 'tell gold customers about new products'
const CUSTOMER = { api: 'shop', entity: 'Customer' }
const PRODUCT = { api: 'shop', entity: 'Product' }
const BOOK = { api: 'library', entity: 'Book' }
const WRITE = 'Customer("c4").delete()'

/* What the tables of the three entities say. */
const CUSTOMER_ROWS = `e1($)\tCustomer: A person who buys · id, name, email, tier bronze|silver|gold, tags [str], channels [mail|phone|post], joined_at date, city, notes markdown, referrer e1 · also orders [Order], favorites [Product]
e1\t[e1] · opt tier, joined_after date
e1~$\t[e1]
e1.create(name=$,email=$)\twrite e1 · opt tier, tags, notes · Register a customer
e1($).update()\twrite e1 · opt name, email, tier, notes · Change a customer
e1($).delete()\twrite · Remove a customer
`
const PRODUCT_ROWS = `e1($).favorites\t[e2]
e2($)\tProduct: Something to buy · id int, name, category book|tool|toy, price num, stock int, released date, maker, color, traits json
e2\t[e2] · opt category, sort name|price, direction asc|desc
e2~$\t[e2] · opt category
e2($).restock(quantity=$)\twrite e2 · quantity int · Add to the stock
e2($).forecast()\te2 · opt on date · Look up what a product will cost
`
const BOOK_ROWS = `e3(isbn=$)\tlibrary.Book: An edition that the library owns · isbn, title, author, pages int, summary markdown · also copies [Copy]
e3\t[e3]
e3~$\t[e3]
`
const table = (...parts: readonly string[]) =>
  `\`s0\`\n\n\`\`\`tsv\nplasm_expr\tMeaning\n${parts.join('')}\`\`\`\n`
const unchanged = (last: string) =>
  `\`s0\`\n\n_Session unchanged (\`e1\`…\`${last}\`). Use \`plasm\` / \`plasm_run\` with this logical_session_ref._ Missing rows? Call again with have = the last e# you hold all rows of, or "none".\n`

/** One of the surfaces, and what all others are compared with. */
const FIRST = 'MCP over stdio'
const MINUTES = 180_000
let told: ReadonlyMap<string, string>
beforeAll(async () => {
  told = await story(FIRST)
}, MINUTES)

test.each([
  ['open', () => table(CUSTOMER_ROWS)],
  ['repeat', () => unchanged('e1')],
  ['extend', () => table(PRODUCT_ROWS)],
  ['federate', () => table(BOOK_ROWS)],
  ['repeat all', () => unchanged('e3')],
  ['hold the first', () => table(PRODUCT_ROWS, BOOK_ROWS)],
  ['hold nothing', () => table(CUSTOMER_ROWS, PRODUCT_ROWS, BOOK_ROWS)],
  ['come back', () => unchanged('e3')],
  [
    'run',
    () =>
      `## c (3 rows, more there)\n\n${rows(1, 2, 3)}\nmore pages available - use \`page(s0_pg1)\` for the next page.\n`,
  ],
])('the whole answer: %s', (step, text) => {
  expect(told.get(step)).toBe(text())
})

test('a run is refused where nothing came of it but problems', () => {
  for (const step of ['unknown page', 'nothing', 'bad program', 'unknown session'])
    expect([step, told.get(step)]).toEqual([step, expect.stringMatching(/^\(refused\) /)])
  expect(told.get('unknown page')).toContain('page_unknown')
  expect(told.get('something')).toMatch(/^# Results\n[^]*\nc1\n[^]*not_found/)
})

test('a changed catalog voids the table and teaches it again', () => {
  expect(told.get('recover')).toMatch(
    /^`s0`\n\n\*\*Prior Plasm symbol table is void\.\*\* [^\n]+\n\n```tsv\nplasm_expr\tMeaning\n(e[345][^\n]*\n)+```\n$/,
  )
})

test('one write left, by the plan that was reviewed', () => {
  const requests = told.get('requests')?.split('\n') ?? []
  expect(requests.filter((request) => !request.startsWith('GET'))).toEqual(['DELETE /v1/customers/c4'])
  expect(told.get('write again')).toBe(told.get('write'))
})

test.each(Object.keys(SURFACES).filter((name) => name !== FIRST))(
  'byte for byte the same over %s',
  async (surface) => {
    const answers = await story(surface)
    const expected = new Map(told)
    if (!answers.has('snapshot')) expected.delete('snapshot')
    expect([...answers]).toEqual([...expected])
  },
  MINUTES,
)

function rows(...numbers: readonly number[]): string {
  return `\`\`\`tsv\nid\tname\n${numbers.map((n) => `c${n}\tCustomer ${n}\n`).join('')}\`\`\`\n`
}

/** The same afternoon on every surface: what was asked, and what was answered. */
async function story(surface: string): Promise<ReadonlyMap<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'plasmid-parity-'))
  await cp(FIXTURES, join(folder, 'catalogs'), { recursive: true })
  const api = await startShopApi()
  const engine = [
    '--no-shipped',
    `--catalog=${join(folder, 'catalogs/shop')}`,
    `--catalog=${join(folder, 'catalogs/library')}`,
    `--backend=shop=${api.url}`,
  ]
  const start = () => SURFACES[surface]?.(join(folder, 'data'), engine) ?? Promise.reject(new Error(surface))
  const answers = new Map<string, string>()
  for (const chapter of [goal, comesBack]) {
    const driver = await start()
    for (const [step, text] of await chapter(driver)) answers.set(step, text)
    await driver.close()
  }
  await changeCatalog(join(folder, 'catalogs/shop/domain.yaml'))
  const driver = await start()
  for (const [step, text] of await meetsAnotherCatalog(driver)) answers.set(step, text)
  await driver.close()
  answers.set('requests', api.requests.join('\n'))
  await api.close()
  return answers
}

type Answers = readonly (readonly [step: string, text: string])[]

async function goal(driver: Driver): Promise<Answers> {
  const open = (...seeds: readonly object[]) => driver.context({ intent: INTENT, seeds })
  const s0 = { logical_session_ref: 's0' }
  return [
    ['discover', await driver.discover({ intent: INTENT })],
    ['open', await open(CUSTOMER)],
    ['repeat', await open(CUSTOMER)],
    ['extend', await open(CUSTOMER, PRODUCT)],
    ['federate', await open(BOOK, PRODUCT)],
    ['repeat all', await open(PRODUCT, BOOK, CUSTOMER)],
    ['hold the first', await driver.context({ intent: INTENT, have: 'e1' })],
    ['hold nothing', await driver.context({ ...s0, have: 'none' })],
    ['bad seeds', await open({ api: 'shop', entity: 'Custmer' }, { api: 'shpo', entity: 'Product' })],
    ['bad ref', await driver.context({ logical_session_ref: 'session', seeds: [CUSTOMER] })],
    ['unknown session', await driver.run({ logical_session_ref: 's9', program: 'e1' })],
    ['plan', await driver.plan({ ...s0, program: 'c = e1\nc[id, name]' })],
    ['run', await driver.run({ ...s0, program: 'c = e1\nc[id, name]' })],
    ['page', await driver.page('s0_pg1')],
    ['unknown page', await driver.page('s0_pg99')],
    ['nothing', await driver.run({ ...s0, program: 'gone = e1("c99")\ngone[id]' })],
    ['something', await driver.run({ ...s0, program: 'e1("c99")[id], e1("c1")[id]' })],
    ['long cells', await driver.run({ ...s0, program: 'e1("c7")[id, notes]' })],
    ['bad program', await driver.run({ ...s0, program: 'Customer{teir=gold}[id]' })],
    ['write without a plan', await driver.run({ ...s0, program: WRITE })],
    ['plan a write', await driver.plan({ ...s0, program: WRITE })],
    ['write', await driver.run({ ...s0, program: WRITE, plan: 'pc2' })],
    ['write again', await driver.run({ ...s0, program: WRITE, plan: 'pc2' })],
    ...(driver.snapshot ? [['snapshot', await driver.snapshot('plasm://session/s0/r/1')] as const] : []),
  ]
}

/** Another process, the same data. */
async function comesBack(driver: Driver): Promise<Answers> {
  return [['come back', await driver.context({ intent: ` ${INTENT}\n`, seeds: [BOOK, CUSTOMER] })]]
}

async function meetsAnotherCatalog(driver: Driver): Promise<Answers> {
  const s0 = { logical_session_ref: 's0' }
  return [
    ['stale program', await driver.run({ ...s0, program: 'e1[id]' })],
    ['recover', await driver.context({ intent: INTENT, seeds: [CUSTOMER] })],
    ['go on', await driver.run({ ...s0, program: 'Customer("c1")[id, name]' })],
  ]
}

async function changeCatalog(file: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('description: Fetch one customer', 'description: Fetch a customer'))
}
