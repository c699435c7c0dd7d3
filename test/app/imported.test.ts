import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assemble, type Assembly } from '../../src/app/assemble.ts'
import { readConfig } from '../../src/config/read.ts'
import { HARBOUR_KEY, type HarbourApi, startHarbourApi } from './harbour-api.ts'

let api: HarbourApi
let engine: Assembly
let ref: string
const folder = mkdtempSync(join(tmpdir(), 'plasmid-imported-'))

beforeAll(async () => {
  api = await startHarbourApi()
  const path = join(folder, 'harbour.json')
  writeFileSync(path, api.document)
  process.env['HARBOUR_TOKEN'] = HARBOUR_KEY
  const flags = { catalogs: [path], shipped: false, store: 'memory', data_dir: folder }
  const config = readConfig({ flags, env: {}, cwd: folder })
  if (!config.ok) throw new Error(JSON.stringify(config.problems))
  const opened = await assemble(config.value)
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems))
  engine = opened.value
})

afterAll(async () => {
  await engine.shutDown()
  await api.close()
  delete process.env['HARBOUR_TOKEN']
  rmSync(folder, { recursive: true })
})

async function run(program: string): Promise<string> {
  api.requests.length = 0
  api.bodies.length = 0
  const plan = await engine.gateway.plan(engine.caller, { logical_session_ref: ref, program })
  if (!plan.ok) return plan.text
  const pc = /`(s0_)?pc\d+`/.exec(plan.text)?.[0].replaceAll('`', '')
  const reply = await engine.gateway.run(
    engine.caller,
    {
      logical_session_ref: ref,
      program,
      ...(pc !== undefined && { plan: pc }),
    },
    { signal: new AbortController().signal },
  )
  return reply.text
}

test('is found by a goal', async () => {
  const reply = await engine.gateway.discover(engine.caller, { intent: 'close a pier of the harbour' })
  expect(reply.text).toContain('Pier')
})

test('is taught in one table', async () => {
  const seeds = ['Pier', 'Berth', 'Report', 'Photo', 'PierDocument'].map((entity) => ({
    api: 'harbour',
    entity,
  }))
  const reply = await engine.gateway.context(engine.caller, { intent: 'work in the harbour', seeds })
  ref = /`(s\d+)`/.exec(reply.text)?.[1] ?? ''
  expect(reply.text).toMatchInlineSnapshot(`
    "\`s0\`

    \`\`\`tsv
    plasm_expr	Meaning
    e1(pier_id=$,number=$)	Berth · pier_id int, number int, length_m num, ship
    e1{pier_id=e3($)}	[e1]
    e1.create(pier_id=e3($),length_m=$)	write e1 · opt ship · Add a berth
    e1($).delete()	write · Remove a berth
    e2(pier_id=$)	Photo · pier_id int, content blob
    e2($).update(body=$)	write · body blob · Replace the photo
    e3($)	Pier: A place where ships lie · id int, name, state open|closed, depth_m num, opened_on date, berths [e1], report e5, photo e2
    e3	[e3] · opt state, ids [int]
    e3($).update()	write e3 · opt name, depth_m · Change a pier
    e3($).close(reason=$)	write e3 · opt days int · Close a pier for a while
    e4.create(pier_id=e3($),title=$,file=$)	write e4 · PierDocument · title, bytes int · file blob · opt file_name
    e5(pier_id=$)	Report · pier_id int, text document
    \`\`\`
    "
  `)
})

test('reads all pages', async () => {
  expect(await run('e3{state=open}.aggregate(n=count)')).toContain('5')
  expect(api.requests).toEqual([
    'GET /v1/piers?state=open&page=1&per_page=3',
    'GET /v1/piers?state=open&page=2&per_page=3',
  ])
})

test('joins a list argument as the document says', async () => {
  await run('e3{ids=[1, 3]}')
  expect(api.requests[0]).toBe('GET /v1/piers?ids=1%2C3&page=1&per_page=3')
})

test('follows a relation that nesting made', async () => {
  expect(await run('e3(2).berths[number, length_m]')).toContain('40')
  expect(api.requests).toContain('GET /v1/piers/2/berths')
})

test('gets a row by a compound key', async () => {
  expect(await run('e1(pier_id=2, number=1)[ship]')).toContain('Anna')
  expect(api.requests).toEqual(['GET /v1/piers/2/berths/1'])
})

test('writes JSON, a patch, a form, bytes and a multipart body', async () => {
  await run('e1.create(pier_id=e3(2), length_m=30.5)')
  expect(api.bodies).toEqual(['application/json: {"length_m":30.5}'])
  expect(await run('e3(2).update(name="Renamed")')).toContain('Renamed')
  expect(api.bodies).toEqual(['application/merge-patch+json: {"name":"Renamed"}'])
  expect(await run('e3(2).close(reason="storm & rain")')).toContain('closed')
  expect(api.bodies).toEqual(['application/x-www-form-urlencoded: reason=storm+%26+rain'])
  await run('e2(pier_id=2).update(body={text="abc"})')
  expect(api.bodies).toEqual(['image/png: 616263'])
  expect(await run('e4.create(pier_id=e3(2), title="Plan", file={text="lines"})')).toContain('5')
  expect(api.bodies).toEqual(['Plan: file: lines'])
  await run('e4.create(pier_id=e3(2), title="Plan", file={text="lines"}, file_name="plan ü.txt")')
  expect(api.bodies).toEqual(['Plan: plan ü.txt: lines'])
})

test('reads a text and bytes', async () => {
  expect(await run('e5(pier_id=3)')).toContain('All is well at pier 3.')
  expect(await run('e2(pier_id=3)')).toContain('iVBORw==')
})

test('passes on what the API refuses', async () => {
  const { text } = await engine.gateway.context(engine.caller, {
    intent: 'work in the harbour',
    have: 'none',
  })
  const pier = /^(e\d+)\(\$\)\tPier/m.exec(text)?.[1] ?? ''
  expect(await run(`${pier}(99)`)).toContain('There is no such pier.')
  expect(await run('e1.create(pier_id=e3(2), length_m=1, ship="Flying Dutchman")')).toContain(
    'That ship never lands.',
  )
})

test('follows its file, and says what changed in the next context', async () => {
  const path = join(folder, 'harbour.json')
  writeFileSync(
    path,
    api.document.replace(
      '"depth_m": { "type": "number", "description"',
      '"draught_m": { "type": "number", "description"',
    ),
  )
  const intent = 'work in the harbour'
  await expect
    .poll(
      async () =>
        (await engine.gateway.context(engine.caller, { intent, seeds: [{ api: 'harbour', entity: 'Pier' }] }))
          .text,
    )
    .toContain('What changed (+ new, - gone, ~ other):\n- harbour:Pier: fields +draught_m, -depth_m\n')
})

test('serves a catalog as it was while its file cannot be read', async () => {
  writeFileSync(join(folder, 'harbour.json'), '{"openapi": ')
  const { text } = await engine.gateway.context(engine.caller, {
    intent: 'work in the harbour',
    have: 'none',
  })
  const pier = /^(e\d+)\(\$\)\tPier/m.exec(text)?.[1] ?? ''
  expect(await run(`${pier}(99)`)).toContain('There is no such pier.')
})
