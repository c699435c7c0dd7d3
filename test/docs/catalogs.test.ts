import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { loadAbi } from '../../src/catalog/evm/abi.ts'
import { applyOverlay } from '../../src/catalog/readers/openapi/overlay/apply.ts'
import { readPlasm } from '../../src/catalog/readers/plasm/read.ts'
import { runnerOf } from '../execution/served.ts'
import { jsonOf, startTestServer } from '../surfaces/test-server.ts'
import { wordsOfTheReader } from './catalog-words.ts'
import { settings } from '../../src/config/settings.ts'

const abi = await loadAbi()
const text = readFileSync(new URL('../../docs/catalogs.md', import.meta.url), 'utf8')

type Yaml = Readonly<Record<string, unknown>>
interface Pieces {
  readonly domain: Yaml
  readonly mappings: Yaml
}

/** The catalog of the page after each of its sections that adds to it. */
const grown = sections().reduce<readonly (Pieces & { readonly title: string })[]>(
  (before, { title, blocks }) => {
    const last = before.at(-1) ?? { domain: {}, mappings: {} }
    const next = blocks.reduce<Pieces>(
      (pieces, { file, yaml }) => ({ ...pieces, [file]: merged(pieces[file], yaml) }),
      last,
    )
    return blocks.length === 0 ? before : [...before, { ...next, title }]
  },
  [],
)

test('every section adds what loads without a word', () => {
  expect(grown.length).toBeGreaterThan(8)
  for (const { title, domain, mappings } of grown) {
    const { catalog, errors, warnings } = reading({ domain, mappings })
    const told = [...errors, ...warnings].map(({ file, line, message }) => `${file}:${line} ${message}`)
    expect([title, told]).toEqual([title, []])
    const refused = catalog?.capabilities.filter(({ unsupported }) => unsupported.length > 0)
    expect([title, refused]).toEqual([title, []])
  }
})

test('every YAML block belongs to one of the files', () => {
  const all = [...text.matchAll(/^```yaml\n(.*)$/gm)].map(([, first]) => first)
  const blocks = all.filter((first) => first !== '# plasmid.yaml' && first !== '# overlay.yaml')
  expect(blocks.filter((first) => !/^# (?:domain|mappings)\.yaml$/.test(first ?? ''))).toEqual([])
  expect(sections().flatMap((section) => section.blocks)).toHaveLength(blocks.length)
})

test('every configuration is valid', () => {
  const blocks = [...text.matchAll(/^```yaml\n# plasmid\.yaml\n([\s\S]*?)^```$/gm)].map(
    ([, yaml = '']) => yaml,
  )
  expect(blocks.length).toBeGreaterThan(0)
  for (const yaml of blocks) expect(settings.safeParse(parse(yaml)).error?.issues).toBeUndefined()
})

test('the overlay can be applied', () => {
  const [, yaml = ''] = /^```yaml\n# overlay\.yaml\n([\s\S]*?)^```$/m.exec(text) ?? []
  const schema = { type: 'object' }
  const get = {
    parameters: [{ name: 'debug' }],
    responses: { 200: { content: { 'application/json': { schema } } } },
  }
  expect(applyOverlay({ paths: { '/pets': { get } } }, parse(yaml))).toMatchObject({ warnings: [] })
})

test('what an agent is taught of the first one is what stands there', async () => {
  const [first] = grown
  const folder = await mkdtemp(join(tmpdir(), 'plasmid-desk-'))
  await writeFile(join(folder, 'domain.yaml'), stringify(first?.domain))
  await writeFile(join(folder, 'mappings.yaml'), stringify(first?.mappings))
  const server = await startTestServer({ catalogs: [folder], backends: {}, log_level: 'silent' })
  const seeds = [{ api: 'desk', entity: 'Ticket' }]
  const answer = await server.send('POST', '/v1/contexts', { intent: 'read a ticket', seeds })
  const taught = await jsonOf<{ readonly text: string }>(answer)
  const [, shown = ''] = /^```tsv\n([\s\S]*?)^```$/m.exec(text) ?? []
  expect(taught.text).toBe(`\`s0\`\n\n\`\`\`tsv\nplasm_expr\tMeaning\n${shown}\`\`\`\n`)
  await server.close()
  await rm(folder, { recursive: true })
})

test('labels and single values are sent and read as the page says', async () => {
  const sent: unknown[] = []
  const app = new Hono()
  app.put('*', async (c) => {
    sent.push(`PUT ${new URL(c.req.url).pathname}`, await c.req.json())
    return c.body(null, 204)
  })
  app.get('/desk', (c) => c.json({ name: 'first', is_open: true }))
  app.get('/backlog', (c) => c.json(7))
  app.get('/transcripts/42.txt', (c) => c.text('Hello?'))
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await once(server, 'listening')
  const address = server.address()
  const { catalog } = reading(grown.at(-1) ?? { domain: {}, mappings: {} })
  if (!catalog || typeof address !== 'object') throw new Error('no catalog')
  const desk = runnerOf({ ...catalog, auth: { scheme: 'none' }, origin: `http://127.0.0.1:${address?.port}` })
  await desk.run('Ticket(42).label(labels=[a, b])')
  expect(sent).toEqual(['PUT /tickets/42/labels%20of%20a%20ticket', [{ name: 'a' }, { name: 'b' }]])
  const reads = [
    'desk = Desk.get()',
    'backlog = Backlog.get()',
    'said = Transcript(42)',
    'desk, backlog, said',
  ]
  expect((await desk.run(reads.join('\n'))).results).toEqual({
    desk: [{ name: 'first', is_open: true }],
    backlog: [{ count: 7 }],
    said: [{ ticket: 42, text: 'Hello?' }],
  })
  await desk.close()
  server.close()
})

test('every word that the reader knows stands there', () => {
  const code = [...text.matchAll(/^```[\s\S]*?^```$|`[^`\n]+`/gm)].map(([span]) => span).join('\n')
  const said = new Set(code.match(/[A-Za-z_]\w*/g))
  const words = [...wordsOfTheReader()]
  expect(words.length).toBeGreaterThan(250)
  expect(words.filter((word) => !said.has(word) && !OURS.has(word))).toEqual([])
})

/** What stands in the reader's constants and in no catalog: names of our own model, and slips that are told of. */
const OURS = new Set(
  'accepts inFolder isFile idOf hint catalog_is_json anything keys map list scalar reference parentFrom parentReplyTo parentSubject parentMessageId parentReferences parentThreadId via_param query_params last_page next_cursor'.split(
    ' ',
  ),
)

function reading({ domain, mappings }: Pieces) {
  return readPlasm({
    path: 'desk',
    id: 'desk',
    domain: { file: 'domain.yaml', text: stringify(domain) },
    mappings: { file: 'mappings.yaml', text: stringify(mappings) },
    ...(abi && { abi }),
  })
}

function sections() {
  return text.split(/^## /m).map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    blocks: [...section.matchAll(/^```yaml\n# (domain|mappings)\.yaml\n([\s\S]*?)^```$/gm)].map(
      ([, file, yaml = '']) =>
        ({ file: file === 'domain' ? 'domain' : 'mappings', yaml: parseMap(yaml) }) as const,
    ),
  }))
}

function parseMap(yaml: string): Yaml {
  const read: unknown = parse(yaml)
  if (!isMap(read)) throw new Error(`no map: ${yaml}`)
  return read
}

/** What is added goes into maps that are there; everything else stands as it is said last. */
function merged(before: Yaml, added: Yaml): Yaml {
  const entries = Object.entries(added).map(([key, value]) => {
    const old = before[key]
    return [key, isMap(old) && isMap(value) ? merged(old, value) : value] as const
  })
  return { ...before, ...Object.fromEntries(entries) }
}

function isMap(value: unknown): value is Yaml {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
