import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, jsonOf, startTestServer, SEEDS } from '../test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const JSON_TYPE = { 'content-type': 'application/json' }
const TEXT_TYPE = { 'content-type': 'text/plain' }

/** What every error has, and the code of this one. */
async function problemOf(response: Response) {
  const body = await jsonOf<Readonly<Record<string, unknown>>>(response)
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(Object.keys(body)).toEqual(['type', 'title', 'status', 'detail', 'code', 'problems'])
  expect(body['status']).toBe(response.status)
  expect(body['type']).toBe(`urn:plasmid:problem:${String(body['code'])}`)
  return [response.status, body['code']]
}

describe('refuses', () => {
  test.each([
    ['JSON that breaks off', '{"intent":', JSON_TYPE, 400, 'malformed_json'],
    ['nothing at all', '', JSON_TYPE, 400, 'malformed_json'],
    ['two values', '{} {}', JSON_TYPE, 400, 'malformed_json'],
    ['a list', '[]', JSON_TYPE, 400, 'bad_arguments'],
    ['null', 'null', JSON_TYPE, 400, 'bad_arguments'],
    ['a text', '"intent"', JSON_TYPE, 400, 'bad_arguments'],
    ['wrong types', '{"intent":7,"seeds":"x"}', JSON_TYPE, 400, 'bad_arguments'],
    [
      'deep nesting',
      `{"intent":"x","seeds":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      JSON_TYPE,
      400,
      'bad_arguments',
    ],
    ['neither intent nor seeds', '{}', JSON_TYPE, 400, 'missing_seeds'],
    [
      'a fork without intent',
      JSON.stringify({ fork_of: 's0', seeds: SEEDS }),
      JSON_TYPE,
      400,
      'missing_intent',
    ],
    [
      'a lone surrogate',
      '{"intent":"\\ud800","seeds":[{"api":"shop","entity":"Customer"}]}',
      JSON_TYPE,
      400,
      'bad_intent',
    ],
    ['text as JSON', '{}', TEXT_TYPE, 415, 'wrong_content_type'],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'wrong_content_type'],
    [
      'another charset',
      '{}',
      { 'content-type': 'application/json; charset="UTF-16LE"' },
      415,
      'wrong_charset',
    ],
    ['a compressed body', 'x', { ...JSON_TYPE, 'content-encoding': 'gzip' }, 415, 'wrong_content_encoding'],
    [
      'a body compressed otherwise',
      'x',
      { ...JSON_TYPE, 'content-encoding': 'br' },
      415,
      'wrong_content_encoding',
    ],
    ['ten megabytes', 'x'.repeat(10_000_000), JSON_TYPE, 413, 'body_too_large'],
  ])('%s', async (_name, body, headers, status, code) => {
    const response = await server.send('POST', '/v1/contexts', body, headers)
    expect(await problemOf(response)).toEqual([status, code])
  })

  test('a compressed program or call of a tool', async () => {
    const coded = { 'content-encoding': 'gzip' }
    const program = await server.send('POST', '/v1/contexts/s0/run', 'x', { ...TEXT_TYPE, ...coded })
    expect(await problemOf(program)).toEqual([415, 'wrong_content_encoding'])
    const call = await server.send('POST', '/mcp', 'x', { ...JSON_TYPE, ...coded })
    expect(await problemOf(call)).toEqual([415, 'wrong_content_encoding'])
  })

  test('no other spelling of UTF-8', async () => {
    for (const charset of ['utf-8', 'UTF8', '"utf-8"', 'us-ascii']) {
      const type = { 'content-type': `application/json;charset=${charset}`, 'content-encoding': 'identity' }
      const response = await server.send('POST', '/v1/contexts', '{}', type)
      expect(await problemOf(response)).toEqual([400, 'missing_seeds'])
    }
  })

  test('a body that is not UTF-8', async () => {
    const response = await fetch(`${server.url}/v1/contexts`, {
      method: 'POST',
      headers: { ...JSON_TYPE, authorization: `Bearer ${server.token}` },
      body: Uint8Array.from([0x22, 0xff, 0xfe, 0x22]),
    })
    expect(await problemOf(response)).toEqual([400, 'malformed_encoding'])
  })

  test('a body of unknown length once it is too large', async () => {
    const answer = await new Promise<Response>((resolve, reject) => {
      const outgoing = request(`${server.url}/v1/contexts`, {
        method: 'POST',
        headers: { ...JSON_TYPE, authorization: `Bearer ${server.token}` },
      })
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('end', () => {
          const headers = new Headers(
            Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
          )
          resolve(new Response(Buffer.concat(chunks), { status: incoming.statusCode ?? 0, headers }))
        })
      })
      outgoing.on('error', reject)
      // Never ended: the answer comes while the body is still on its way.
      outgoing.write(Buffer.alloc(1_100_000, 0x20))
    })
    expect(await problemOf(answer)).toEqual([413, 'body_too_large'])
    expect(answer.headers.get('connection')).toBe('close')
  })

  test('seeds that are wrong, all at once', async () => {
    const response = await server.send('POST', '/v1/contexts', {
      intent: 'x',
      seeds: [
        { api: 'shop', entity: 'Custmer' },
        { api: 'shpo', entity: 'Customer' },
      ],
    })
    const { problems } = await jsonOf<{ readonly problems: readonly object[] }>(response.clone())
    expect(await problemOf(response)).toEqual([400, 'unknown_seed'])
    expect(problems).toMatchObject([
      { code: 'unknown_seed', path: 'seeds[0].entity', nearest: ['Customer'] },
      { code: 'unknown_api', path: 'seeds[1].api', nearest: ['shop'] },
    ])
  })
})

test('reports a missing argument', async () => {
  const response = await server.send('POST', '/v1/contexts/s0/run', '{}', JSON_TYPE)
  expect(await jsonOf(response)).toMatchObject({
    code: 'bad_arguments',
    detail: expect.stringContaining('`program` is missing'),
  })
})

describe('answers', () => {
  test.each([
    ['GET', '/nothing', 404, 'unknown_route'],
    ['GET', '/v1/contexts/s99', 404, 'unknown_session'],
    ['GET', '/v1/contexts/l_AAAAAAAAQACAAAAAAAAAAQ', 404, 'unknown_session'],
    ['GET', '/v1/contexts/nonsense', 400, 'bad_ref'],
    ['GET', '/v1/contexts/%2e%2e%2f', 400, 'bad_ref'],
    ['GET', '/v1/contexts/%ff', 400, 'bad_ref'],
    ['GET', '/v1/contexts/s99/table', 404, 'unknown_session'],
    ['GET', '/v1/contexts/s99/snapshots/1', 404, 'unknown_session'],
    ['GET', '/v1/contexts/s99/snapshots/x', 404, 'unknown_snapshot'],
    ['GET', '/v1/pages/s99_pg1', 404, 'unknown_session'],
    ['GET', '/v1/pages/nonsense', 404, 'page_unknown'],
    ['GET', '/v1/pages/s0_pg1?limit=0', 400, 'invalid_parameter'],
    ['GET', '/v1/pages/s0_pg1?limit=1e9', 400, 'invalid_parameter'],
    ['PUT', '/v1/contexts', 405, 'method_not_allowed'],
    ['POST', '/v1/health', 405, 'method_not_allowed'],
    ['GET', '/v1/contexts/s0/run', 405, 'method_not_allowed'],
    ['DELETE', '/openapi.json', 405, 'method_not_allowed'],
  ])('%s %s with %i %s', async (method, path, status, code) => {
    expect(await problemOf(await server.send(method, path))).toEqual([status, code])
  })

  test('which methods a path has', async () => {
    const response = await server.send('PATCH', '/v1/contexts/s0')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, DELETE'])
  })

  test.each([
    ['GET', '/v1/contexts'],
    ['GET', '/v1/contexts/s0'],
    ['GET', '/v1/registry'],
    ['GET', '/v1/health'],
    ['GET', '/v1/grammar'],
    ['POST', '/v1/contexts'],
    ['POST', '/v1/discover'],
    ['POST', '/v1/contexts/s99/plan'],
  ])('%s %s only in a form that the client reads', async (method, path) => {
    const accept = { accept: 'image/png' }
    const response = await server.send(method, path, method === 'POST' ? {} : undefined, accept)
    expect(await problemOf(response)).toEqual([406, 'not_acceptable'])
  })

  test('a run only in a form that the client reads', async () => {
    const response = await server.send('POST', '/v1/contexts/s99/run', 'e1', {
      ...TEXT_TYPE,
      accept: 'image/png',
    })
    expect(await problemOf(response)).toEqual([406, 'not_acceptable'])
  })
})

describe('lets in', () => {
  test('only who has the token', async () => {
    for (const authorization of [
      '',
      'Bearer',
      'Bearer x',
      `Basic ${server.token}`,
      `Bearer ${server.token}x`,
    ]) {
      const response = await fetch(`${server.url}/v1/contexts`, {
        headers: authorization === '' ? {} : { authorization },
      })
      const error = authorization === '' ? '' : ', error="invalid_token"'
      expect(response.headers.get('www-authenticate')).toBe(`Bearer realm="plasmid"${error}`)
      expect(await problemOf(response)).toEqual([401, 'unauthenticated'])
    }
    expect(
      (await fetch(`${server.url}/v1/contexts`, { headers: { authorization: `bearer ${server.token}` } }))
        .status,
    ).toBe(200)
  })

  test('everybody to what is the same for all', async () => {
    const health = await fetch(`${server.url}/v1/health`)
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }])
    expect(
      [...health.headers].filter(([name]) => /^(cache-control|content-security|x-content)/.test(name)),
    ).toEqual([
      ['cache-control', 'no-store'],
      ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
      ['x-content-type-options', 'nosniff'],
    ])
  })

  test('no page of another site, not even to the tools', async () => {
    for (const path of ['/v1/health', '/v1/contexts', '/mcp', '/nothing']) {
      const response = await server.send('GET', path, undefined, { origin: 'https://evil.example' })
      expect(await problemOf(response)).toEqual([403, 'forbidden_origin'])
    }
  })

  test('no name that was rebound to this address', async () => {
    const status = await new Promise((resolve, reject) => {
      const { port } = new URL(server.url)
      const headers = { host: 'evil.example' }
      request({ host: '127.0.0.1', port, path: '/v1/health', headers }, (incoming) => {
        incoming.resume()
        resolve(incoming.statusCode)
      })
        .on('error', reject)
        .end()
    })
    expect(status).toBe(403)
  })

  test('everybody, where the operator said so', async () => {
    const open = await startTestServer({ auth: 'off' })
    expect((await fetch(`${open.url}/v1/contexts`)).status).toBe(200)
    await open.close()
  })
})
