import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, Operator, rowsIn } from './agent.ts'
import type { ApiProcess } from './api-process.ts'
import { startEtcd, whyNoEtcd } from './etcd.ts'

/* A key-value store of Debian, imported by the Swagger 2.0 document of its gateway: remote procedures over HTTP. */

const note = whyNoEtcd === undefined ? '' : ` (${whyNoEtcd})`

describe.skipIf(whyNoEtcd)(`etcd${note}`, { timeout: 60_000 }, () => {
  const operator = new Operator()
  let server: ApiProcess
  let agent: Agent
  let added: string
  beforeAll(async () => {
    server = await startEtcd()
    const document = join(server.folder, 'rpc.swagger.json')
    added = await operator.add(document, '--id', 'etcd', '--server', server.url, '--auth', 'none')
    agent = await operator.serve()
  }, 60_000)
  afterAll(async () => {
    await agent.close()
    await server.stop()
    await operator.close()
  })

  const put = (key: string, value: string) => `Kv.put(key={text="${key}"}, value={text="${value}"})`

  test('is added with an address and without a credential', () => {
    expect(added).toContain('41 of 41 operations can be called.')
    expect(added).toContain('without a credential')
  })

  test('is found by a goal, and names its entities after what they hold', async () => {
    expect(await agent.discover('read the keys of a range from the key-value store')).toMatch(
      /^etcd\tKeyValue\tstrong\t/m,
    )
    const { taught } = await agent.open('teach', 'etcd:KeyValue', 'etcd:Kv', 'etcd:Role', 'etcd:Member')
    const methods = [...taught.matchAll(/^e\d+\.([\w-]+)\(/gm)].map(([, name]) => name)
    expect(methods.join(' ')).toBe(
      'compaction deleterange put txn add promote remove update add delete grant revoke',
    )
  })

  test('writes keys as text, reads them as bytes, and deletes them', async () => {
    const session = await agent.open('keys', 'etcd:KeyValue', 'etcd:Kv')
    expect(await session.read(put('a', 'one'))).toMatch(/plan_required/)
    for (const [key, value] of [
      ['a', 'one'],
      ['b', 'two'],
      ['c', 'three'],
      ['d', 'four'],
    ] as const)
      expect(await session.change(put(key, value))).toContain('_Changes: 1 done._')
    const range = 'KeyValue{key={text="a"}, range_end={text="z"}}'
    const all = await session.read(`${range}[key,value]`)
    expect(rowsIn(all)).toEqual(
      [
        ['a', 'one'],
        ['b', 'two'],
        ['c', 'three'],
        ['d', 'four'],
      ].map((pair) => pair.map((text) => Buffer.from(text).toString('base64')).join('\t')),
    )
    const first = await session.read(`${range}.page_size(3)[key]`)
    expect(rowsIn(first)).toHaveLength(3)
    expect(rowsIn(await session.page(first))).toEqual([Buffer.from('d').toString('base64')])
    const gone = await session.change('done = Kv.deleterange(key={text="a"})\ndone[deleted]')
    expect(rowsIn(gone)).toEqual(['1'])
  })

  test('lists texts and members without an argument', async () => {
    const session = await agent.open('lists', 'etcd:Role', 'etcd:Member')
    await session.change('Role.add(name="reader")')
    expect(await session.read('Role.query()')).toContain('reader')
    expect(rowsIn(await session.read('Member.query()[name]'))).toEqual(['default'])
  })

  test('says what the server refuses', async () => {
    const session = await agent.open('refused', 'etcd:Lease', 'etcd:Role')
    expect(await session.change('Lease.revoke(ID="12345")')).toContain('requested lease not found')
    expect(await session.change('Role.delete(role="absent")')).toContain('role name not found')
    expect(await session.plan('Role.delete(role=7, rule="x")')).toMatch(/unknown_argument/)
  })
})
