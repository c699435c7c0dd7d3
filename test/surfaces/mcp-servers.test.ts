import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Driver, SURFACES } from './drivers.ts'
import { cleanEnv, PLASMID } from './plasmid-process.ts'
import { startShopApi, type ShopApi } from './shop-api.ts'
import { SHOP } from './test-server.ts'

/* The four reference servers of the protocol, through the built server, as an agent on stdio meets them. */

const require = createRequire(import.meta.url)
const programOf = (name: string) => {
  const found = require.resolve(`@modelcontextprotocol/server-${name}/package.json`)
  return join(found, '../dist/index.js')
}

let shop: ShopApi
let folder: string
let agent: Driver
let config: string
beforeAll(async () => {
  shop = await startShopApi()
  folder = await realpath(await mkdtemp(join(tmpdir(), 'plasmid-references-')))
  const files = join(folder, 'files')
  await mkdir(files)
  await writeFile(join(files, 'hello.txt'), 'hello from a file')
  const of = (name: string, ...args: string[]) => ({
    command: process.execPath,
    args: [programOf(name), ...args],
    reads: 'annotated',
  })
  const mcp_servers = {
    everything: of('everything'),
    files: of('filesystem', files),
    memory: { ...of('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
    thinking: of('sequential-thinking'),
  }
  config = join(folder, 'plasmid.yaml')
  const catalogs = [SHOP]
  const backends = { shop: shop.url }
  await writeFile(config, JSON.stringify({ shipped: false, catalogs, backends, mcp_servers }))
  const start = SURFACES['MCP over stdio']
  if (!start) throw new Error('no such surface')
  agent = await start(join(folder, 'data'), ['--config', config])
}, 120_000)
afterAll(async () => {
  await agent.close()
  await shop.close()
}, 60_000)

const seeds = (...names: readonly string[]) =>
  names.map((name) => {
    const [api, entity] = name.split(':')
    return { api, entity }
  })

/** Opens a session: its ref, and what it is taught. */
async function open(intent: string, ...names: readonly string[]) {
  const text = await agent.context({ intent, seeds: seeds(...names) })
  return { ref: /^`(s\d+)`/.exec(text)?.[1] ?? '', text }
}

/** Runs a program from its plan. */
async function change(ref: string, program: string): Promise<string> {
  const planned = await agent.plan({ logical_session_ref: ref, program })
  const [plan = 'none'] = /pc\d+/.exec(planned) ?? [planned]
  return agent.run({ logical_session_ref: ref, program, plan })
}

const read = (ref: string, program: string) => agent.run({ logical_session_ref: ref, program })

/** The rows of a table, without its fence. */
const rowsOf = (text: string) => text.split('\n').filter((line) => /^e\d/.test(line))

test('discovery finds the server for a goal', async () => {
  expect(await agent.discover({ intent: 'read the text of a file' })).toMatch(/^files\tFile\t/m)
  expect(await agent.discover({ intent: 'search nodes in the knowledge graph' })).toMatch(/^memory\t/m)
}, 60_000)

test('everything: a read of text, and a program that is wrong', async () => {
  const { ref } = await open('everything', 'everything:Tools')
  expect(await read(ref, 'sum = e1.get_sum(a=2, b=40)\nsum')).toContain('The sum of 2 and 40 is 42.')
  const program = 'x = e1.get_sum(a="two", b=40)\nx'
  expect(await agent.plan({ logical_session_ref: ref, program })).toMatch(/value_mismatch/)
}, 60_000)

test('filesystem: a reviewed write, a read of it, and an error', async () => {
  const { ref } = await open('files', 'files:File')
  const path = join(folder, 'files', 'note.txt')
  const program = `done = e1.write(path="${path}", content="two\\nlines")\ndone`
  expect(await read(ref, program)).toMatch(/plan_required/)
  expect(await change(ref, program)).toContain('Successfully wrote')
  expect(await read(ref, `it = e1.read_text(path="${path}")\nit[content]`)).toContain(String.raw`two\nlines`)
  expect(await read(ref, 'it = e1.read_text(path="/etc/passwd")\nit')).toMatch(/outside allowed directories/)
}, 60_000)

test('memory: entities are rows, and relations lead to them', async () => {
  const { ref } = await open('memory', 'memory:Entity', 'memory:Graph')
  const things = ['Cleo', 'Ada', 'Bob'].map(
    (name) => `{name="${name}", entityType="person", observations=["likes tea"]}`,
  )
  expect(await change(ref, `made = e1.create(entities=[${things.join(', ')}])\nmade`)).toContain('Ada')
  const all = await read(ref, 'g = e2.read()\npeople = g.entities.sort(name)\npeople[name,entityType]')
  expect(all).toContain('Ada\tperson\nBob\tperson\nCleo\tperson')
}, 60_000)

test('sequential thinking answers a typed row', async () => {
  const { ref, text } = await open('thinking', 'thinking:Sequentialthinking')
  expect(text).toContain('thoughtNumber=$')
  const given = 'thought="one", nextThoughtNeeded=false, thoughtNumber=1, totalThoughts=1'
  const ran = await change(ref, `t = e1.sequentialthinking(${given})\nt[thoughtNumber,totalThoughts]`)
  expect(ran).toContain('thoughtNumber\ttotalThoughts\n1\t1')
}, 60_000)

test('a long list is paged', async () => {
  const { ref } = await open('resources', 'everything:Resource')
  const first = await read(ref, 'r = e1.page_size(3)\nr[uri]')
  const [handle = ''] = /s\d+_pg\d+/.exec(first) ?? []
  expect(first.match(/demo:\/\//g)).toHaveLength(3)
  const second = await agent.page(handle)
  expect(second.match(/demo:\/\//g)).toHaveLength(3)
  expect(second).not.toContain(/demo:\/\/\S+/.exec(first)?.[0])
}, 60_000)

test('one program joins two servers and an HTTP API', async () => {
  const { ref, text } = await open('join', 'memory:Entity', 'files:File', 'shop:Customer')
  const symbolOf = (name: string) => new RegExp(String.raw`^(e\d+).*\b${name}\b`, 'm').exec(text)?.[1]
  const [file, person, customer] = [
    symbolOf('files.File'),
    symbolOf('memory.Entity'),
    symbolOf('shop.Customer'),
  ]
  const program = [
    `first = ${customer}.limit(1)`,
    `text = ${file}.read_text(path="${join(folder, 'files', 'hello.txt')}").singleton()`,
    `made = ${person}.create(entities=[{name=first.name, entityType="customer", observations=[text.content]}])`,
    'made[name,observations]',
  ].join('\n')
  expect(await change(ref, program)).toContain('Customer 1\t["hello from a file"]')
}, 60_000)

test('the 37 tools take a fraction of the tokens of their JSON', async () => {
  const lists = await Promise.all(
    [['everything'], ['filesystem', join(folder, 'files')], ['memory'], ['sequential-thinking']].map(
      async ([name = '', ...args]) => {
        const client = new Client({ name: 'test', version: '1' })
        await client.connect(
          new StdioClientTransport({
            command: process.execPath,
            args: [programOf(name), ...args],
            stderr: 'ignore',
          }),
        )
        const { tools } = await client.listTools()
        await client.close()
        return tools
      },
    ),
  )
  const tools = lists.flat()
  expect(tools).toHaveLength(37)
  const json = countTokens(JSON.stringify(tools))
  const names = ['Entity', 'Graph', 'Node', 'Observation', 'Relation'].map((name) => `memory:${name}`)
  const filesystem = seeds('files:Directory', 'files:File')
  const whole = await agent.context({
    intent: 'all of them',
    seeds: [
      ...seeds('everything:Tools', 'everything:Structured', 'thinking:Sequentialthinking', ...names),
      ...filesystem,
    ],
  })
  const own = new Client({ name: 'test', version: '1' })
  const args = [PLASMID, 'mcp', '--config', config, '--data-dir', join(folder, 'other')]
  await own.connect(
    new StdioClientTransport({ command: process.execPath, args, env: cleanEnv(), stderr: 'ignore' }),
  )
  const ours = countTokens(JSON.stringify((await own.listTools()).tools))
  await own.close()
  expect(rowsOf(whole)).toHaveLength(37)
  const two = await agent.context({ intent: 'two of them', seeds: [...seeds(...names), ...filesystem] })
  const [all, some] = [whole, two].map((text) =>
    countTokens(['plasm_expr\tMeaning', ...rowsOf(text)].join('\n')),
  )
  expect((all ?? 0) / json).toBeLessThanOrEqual(0.27)
  expect((ours + (some ?? 0)) / json).toBeLessThanOrEqual(0.35)
}, 120_000)
