import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, Operator, rowsIn } from './agent.ts'
import type { ApiProcess } from './api-process.ts'
import { POWERDNS_KEY, startPowerdns, whyNoPowerdns } from './powerdns.ts'

/* A name server of Debian, imported by the Swagger 2.0 document that it serves behind its key. */

/** The document gives one object where the server gives a list. */
const OVERLAY = `
overlay: 1.0.0
info: { title: Corrections, version: '1' }
actions:
  - target: $.paths['/servers/{server_id}/autoprimaries'].get.responses['200'].schema
    remove: true
  - target: $.paths['/servers/{server_id}/autoprimaries'].get.responses['200']
    update: { schema: { type: array, items: { $ref: '#/definitions/Autoprimary' } } }
`

const note = whyNoPowerdns === undefined ? '' : ` (${whyNoPowerdns})`

describe.skipIf(whyNoPowerdns)(`PowerDNS${note}`, { timeout: 60_000 }, () => {
  const operator = new Operator()
  let server: ApiProcess
  let agent: Agent
  let added: string
  beforeAll(async () => {
    server = await startPowerdns()
    added = await operator.add(
      `${server.url}/api/docs`,
      '--auth',
      operator.secret('powerdns.key', POWERDNS_KEY),
      '--overlay',
      operator.file('powerdns.overlay.yaml', OVERLAY),
    )
    agent = await operator.serve()
  }, 60_000)
  afterAll(async () => {
    await agent.close()
    await server.stop()
    await operator.close()
  })

  const zoneOf = (name: string) => `Zone(server_id="localhost", id="${name}")`
  const create = (name: string, more = '') =>
    `Zone.create(server_id="localhost", name="${name}", kind=Native, nameservers=["ns1.${name}"]${more})`

  test('is added by its own document, which needs its key', () => {
    expect(added).toContain('Added `powerdns`')
    expect(added).toContain('36 of 36 operations can be called.')
    expect(added).toContain('Try this goal: list all servers\n')
    expect(added).toMatch(/^localhost\tServer\tauthoritative\t/m)
  })

  test('is found by a goal, and teaches its entities', async () => {
    expect(await agent.discover('list the DNS zones of a name server')).toMatch(/^powerdns\tZone\tstrong\t/m)
    const { taught } = await agent.open('teach', 'powerdns:Server', 'powerdns:Zone')
    expect(taught).toMatch(/^e1\(\$\)\tServer · id, .*, zones \[e2\]/m)
    expect(taught).toMatch(
      /^e2\(server_id=\$,id=\$\)\tZone: This represents an authoritative DNS Zone · server_id, id/m,
    )
    expect(taught).toMatch(
      /^e2\.create\(server_id=e1\(\$\)\)\twrite e2 · .*, rrsets \[\{name, type, ttl int,/m,
    )
  })

  test('makes zones from a plan, and reads them back', async () => {
    const session = await agent.open('zones', 'powerdns:Server', 'powerdns:Zone', 'powerdns:SearchResult')
    const records =
      '[{name="www.one.example.", type="A", ttl=60, changetype="REPLACE", records=[{content="192.0.2.1"}]}]'
    const program = create('one.example.', `, rrsets=${records}`)
    expect(await session.read(program)).toMatch(/plan_required/)
    expect(await session.plan(program)).toContain('WRITE powerdns.Zone zone_create (server_id="localhost"')
    expect(await session.change(`made = ${program}\nmade[id,kind]`)).toContain('one.example.\tNative')
    for (const name of ['two.example.', 'three.example.']) await session.change(create(name))
    const found = await session.read('Server("localhost").zones.sort(name)[name,kind]')
    expect(found).toContain('one.example.\tNative\nthree.example.\tNative\ntwo.example.\tNative\n')
    const sets = await session.read(`${zoneOf('one.example.')}.rrsets{type=A}[name,ttl]`)
    expect(rowsIn(sets)).toEqual(['www.one.example.\t60'])
    const search = await session.read(
      'SearchResult.search(server_id="localhost", q="www*", max=10)[name,type,content]',
    )
    expect(search).toContain('www.one.example.\tA\t192.0.2.1')
  })

  test('gives a long list in pages', async () => {
    const session = await agent.open('settings', 'powerdns:ConfigSetting')
    const first = await session.read('ConfigSetting{server_id="localhost"}.page_size(3)[name]')
    expect(rowsIn(first)).toHaveLength(3)
    const second = rowsIn(await session.page(first))
    expect(second).toHaveLength(3)
    expect(rowsIn(first)).not.toContain(second[0])
  })

  test('changes and deletes a row by its compound key', async () => {
    const session = await agent.open('change', 'powerdns:Zone', 'powerdns:Metadata')
    await session.change(create('four.example.'))
    const key = 'server_id="localhost", zone_id="four.example."'
    const meta = 'kind="ALLOW-AXFR-FROM"'
    await session.change(`Metadata.create(${key}, ${meta}, metadata=["AUTO-NS"])`)
    expect(await session.read(`Metadata(${key}, ${meta})[kind,metadata]`)).toContain(
      'ALLOW-AXFR-FROM\t["AUTO-NS"]',
    )
    await session.change(`Metadata(${key}, ${meta}).update(metadata=["192.0.2.9"])`)
    expect(await session.read(`${zoneOf('four.example.')}.metadata[kind,metadata]`)).toContain(
      '["192.0.2.9"]',
    )
    expect(await session.change(`${zoneOf('four.example.')}.delete()`)).toContain('_Changes: 1 done._')
    expect(await session.read(zoneOf('four.example.'))).toMatch(/\*\*not_found\*\*: `powerdns.Zone`/)
  })

  test('reads what an overlay corrects', async () => {
    const session = await agent.open('corrected', 'powerdns:Autoprimary')
    for (const ip of ['192.0.2.1', '192.0.2.2'])
      await session.change(`Autoprimary.create(server_id="localhost", ip="${ip}", nameserver="ns.example.")`)
    const rows = await session.read('Autoprimary{server_id="localhost"}.sort(ip)[ip,nameserver]')
    expect(rowsIn(rows)).toEqual(['192.0.2.1\tns.example.', '192.0.2.2\tns.example.'])
  })

  test('says what the server refuses', async () => {
    const session = await agent.open('refused', 'powerdns:Zone')
    const refused = await session.change(create('not a name'))
    expect(refused).toContain("DNS Name 'not a name")
    expect(refused).toContain('_Changes: 1 failed._')
    expect(await session.plan('Zone.create(server_id="localhost", kind=Wrong)')).toContain('not_an_option')
  })
})
