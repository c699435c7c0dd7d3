import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthTestServer, ISSUERS, startAuthTestServer, tokenOf } from './auth-test-server.ts'
import { jsonOf, SEEDS, textOf } from './test-server.ts'

const DELETION = 'e1("c1").delete()'

describe.each(['principal', 'tenant'])('callers in one tenant, where sessions are of the %s', (scope) => {
  let server: AuthTestServer
  let ann = ''
  let eve = ''
  beforeAll(async () => {
    server = await startAuthTestServer({ auth: 'required', session_scope: scope })
    ann = await tokenOf({ tenant_id: 'acme', sub: 'ann' })
    eve = await tokenOf({ tenant_id: 'acme', sub: 'eve' })
    // Both know `s0`: it is the same session, or one of each.
    for (const who of [ann, eve])
      await server.send(who, 'POST', '/v1/contexts', { intent: 'shared goal', seeds: SEEDS })
    await server.send(ann, 'POST', '/v1/contexts/s0/run', { program: 'e1[id, notes]' })
    await server.send(ann, 'POST', '/v1/contexts/s0/plan', { program: DELETION })
    await server.send(ann, 'POST', '/v1/contexts/s0/run', { program: DELETION, plan: 'pc1' })
  })
  afterAll(() => server.close())

  /** The whole answer, with what was asked for by one name. */
  async function answer(who: string, method: string, path: string, body: object | undefined, name: string) {
    const response = await server.send(who, method, path.replace('NAME', name), body)
    const text = (await response.text()).replaceAll(name, 'NAME')
    return [response.status, text.replaceAll(/"milliseconds":\d+/g, '')]
  }

  test.each<[string, string, string, object | undefined, string, string]>([
    ['page', 'GET', '/v1/pages/NAME', undefined, 's0_pg1', 's0_pg7'],
    ['snapshot', 'GET', '/v1/contexts/s0/snapshots/NAME', undefined, '1', '7'],
    ['plan', 'POST', '/v1/contexts/s0/run', { program: DELETION, plan: 'pc1' }, 'pc1', 'pc1'],
  ])('no %s of one is another\u2019s', async (kind, method, path, body, theirs, nobodys) => {
    const before = server.api.requests.length
    const foreign = await answer(eve, method, path, body, theirs)
    const unknown =
      kind === 'plan'
        ? await answer(eve, method, path, { program: DELETION, plan: 'pc7' }, 'pc7')
        : await answer(eve, method, path, body, nobodys)
    expect(foreign).toEqual(unknown)
    // An unknown page is reported like every problem of a program: in the answer of the run.
    expect(String(foreign[1])).toMatch(/unknown/)
    expect(server.api.requests.length).toBe(before)
  })

  test('no trace of one is another\u2019s', async () => {
    const traces = async (who: string) =>
      (
        await jsonOf<{ readonly traces: readonly { readonly trace_id: string }[] }>(
          await server.send(who, 'GET', '/v1/traces'),
        )
      ).traces
    const [trace] = await traces(ann)
    const id = trace?.trace_id ?? ''
    const nobodys = '00000000-0000-5000-8000-000000000000'
    const events = JSON.stringify(await jsonOf(await server.send(ann, 'GET', `/v1/traces/${id}`)))
    expect(events).toContain('customer_delete')
    for (const path of ['/v1/traces/NAME', '/v1/traces/NAME/stream']) {
      // A shared session shares the name of its trace; its events belong to each caller alone.
      const foreign = await server.send(eve, 'GET', path.replace('NAME', id))
      if (foreign.status === 404)
        expect(await answer(eve, 'GET', path, undefined, id)).toEqual(
          await answer(eve, 'GET', path, undefined, nobodys),
        )
      else if (!path.endsWith('stream')) expect(await foreign.text()).not.toContain('customer_delete')
      await foreign.body?.cancel().catch(() => undefined)
    }
    expect(JSON.stringify(await traces(eve))).not.toContain('customer_delete')
  })

  test('MCP misses them as HTTP does', async () => {
    const client = await server.client(eve)
    const run = async (program: string, plan: string) =>
      textOf(
        await client.callTool({
          name: 'plasm_run',
          arguments: { logical_session_ref: 's0', program, plan },
        }),
      )
    expect((await run(DELETION, 'pc1')).replaceAll('pc1', 'PLAN')).toBe(
      (await run(DELETION, 'pc7')).replaceAll('pc7', 'PLAN'),
    )
    const read = (uri: string) => client.readResource({ uri }).then(JSON.stringify, String)
    const foreign = await read('plasm://session/s0/r/1')
    expect(foreign.replaceAll('r/1', 'r/N')).toBe(
      (await read('plasm://session/s0/r/7')).replaceAll('r/7', 'r/N'),
    )
    expect(foreign).not.toContain('word word')
  })
})

describe('callers of two issuers with one tenant name', () => {
  let server: AuthTestServer
  beforeAll(async () => {
    server = await startAuthTestServer({ auth: 'required', session_scope: 'tenant' })
  })
  afterAll(() => server.close())

  test('get the same answers, each from a session of its own', async () => {
    const tokens = await Promise.all(
      ISSUERS.map((issuer) => tokenOf({ tenant_id: 'acme', sub: 'ann' }, issuer)),
    )
    const days = await Promise.all(
      tokens.map(async (token) => {
        const texts: string[] = []
        const say = async (method: string, path: string, body?: object) => {
          const response = await server.send(token, method, path, body)
          const text = await response.text()
          texts.push(
            `${response.status} ${text.replaceAll(/l_[\w-]{22}|"(?:session|session_id|prompt_hash)":"\w+"|"milliseconds":\d+/g, '…')}`,
          )
          return text
        }
        const opened = await say('POST', '/v1/contexts', { intent: 'goal', seeds: SEEDS })
        await say('POST', '/v1/contexts/s0/run', { program: 'e1[id, notes]' })
        await say('GET', '/v1/pages/s0_pg1')
        await say('GET', '/v1/contexts/s0/snapshots/1')
        await say('POST', '/v1/contexts/s0/plan', { program: DELETION })
        await say('POST', '/v1/contexts/s0/run', { program: DELETION, plan: 'pc1' })
        await say('POST', '/v1/contexts/s0/run', { program: DELETION, plan: 'pc1' })
        await say('DELETE', '/v1/contexts/s0')
        return { texts, long: /l_[\w-]{22}/.exec(opened)?.[0] }
      }),
    )
    expect(days[0]?.texts).toEqual(days[1]?.texts)
    expect(days[0]?.texts.map((text) => text.slice(0, 3))).toEqual([
      '201',
      '200',
      '200',
      '200',
      '200',
      '200',
      '200',
      '204',
    ])
  })
})
