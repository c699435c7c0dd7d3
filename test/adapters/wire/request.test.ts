import { describe, expect, test } from 'vitest'
import { api, call, json, limits, serve, wire } from './fixtures.ts'

describe('what is sent', () => {
  test('path, query and headers as given', async () => {
    const server = await serve((_, response) => json(response, []))
    const catalog = api(`${server.origin}/v1/`)
    await wire().send(
      call(catalog, {
        target: { path: '/things/a%2Fb' },
        query: [
          ['tag', 'a b'],
          ['tag', 'ü&='],
        ],
        headers: [['x-version', '2']],
      }),
      limits(),
    )
    const [seen] = server.seen
    expect(seen?.method).toBe('GET')
    expect(seen?.url).toBe('/v1/things/a%2Fb?tag=a%20b&tag=%C3%BC%26%3D')
    expect(seen?.headers).toEqual({
      host: `127.0.0.1:${server.port}`,
      connection: 'keep-alive',
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': 'plasmid-test/1',
      'x-version': '2',
    })
  })

  test('a JSON body with its type', async () => {
    const server = await serve((_, response) => json(response, { id: 1 }, 201))
    const sent = await wire().send(
      call(api(server.origin), {
        method: 'POST',
        body: { format: 'json', value: { name: 'ü', tags: [] } },
        repeatable: false,
      }),
      limits(),
    )
    expect(server.seen[0]?.body).toBe('{"name":"ü","tags":[]}')
    expect(server.seen[0]?.headers['content-type']).toBe('application/json')
    expect(sent).toMatchObject({ ok: true, reply: { status: 201, body: { id: 1 }, bytes: 8, requests: 1 } })
  })

  test('a form: lists repeat, null is left out', async () => {
    const server = await serve((_, response) => json(response, {}))
    const value = { a: 'x y', b: [1, true], c: null, d: { e: 1 } }
    await wire().send(call(api(server.origin), { method: 'POST', body: { format: 'form', value } }), limits())
    expect(server.seen[0]?.body).toBe('a=x+y&b=1&b=true&d=%7B%22e%22%3A1%7D')
    expect(server.seen[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  })

  test('no headers that belong to the connection', async () => {
    const server = await serve((_, response) => json(response, {}))
    const headers: [string, string][] = [
      ['Host', 'evil.example'],
      ['Transfer-Encoding', 'chunked'],
      ['Content-Length', '7'],
      ['Proxy-Authorization', 'x'],
      ['Accept', 'application/vnd.shop+json'],
    ]
    await wire().send(call(api(server.origin), { headers }), limits())
    expect(server.seen[0]?.headers).toMatchObject({
      host: `127.0.0.1:${server.port}`,
      accept: 'application/vnd.shop+json',
    })
    expect(server.seen[0]?.headers).not.toHaveProperty('transfer-encoding')
    expect(server.seen[0]?.headers).not.toHaveProperty('proxy-authorization')
  })

  test('an absolute URL on another declared origin', async () => {
    const first = await serve((_, response) => json(response, 'first'))
    const second = await serve((_, response) => json(response, 'second'))
    const catalog = api(first.origin, { otherOrigins: [second.origin] })
    const sent = await wire().send(
      call(catalog, { target: { url: `${second.origin}/next?page=2` } }),
      limits(),
    )
    expect(sent).toMatchObject({ ok: true, reply: { body: 'second' } })
    expect(second.seen[0]?.url).toBe('/next?page=2')
  })

  test('nothing by way of a proxy of the environment', async () => {
    const proxy = await serve((_, response) => json(response, 'proxy'))
    const server = await serve((_, response) => json(response, 'server'))
    const before = process.env['HTTP_PROXY']
    process.env['HTTP_PROXY'] = proxy.origin
    try {
      expect(await wire().send(call(api(server.origin)), limits())).toMatchObject({
        ok: true,
        reply: { body: 'server' },
      })
    } finally {
      if (before === undefined) delete process.env['HTTP_PROXY']
      else process.env['HTTP_PROXY'] = before
    }
    expect(proxy.seen).toEqual([])
  })
})

describe('what is not sent', () => {
  test.each([
    ['/things/..', 'unsafe_path'],
    ['/things/../admin', 'unsafe_path'],
    ['/things/%2e%2e/admin', 'unsafe_path'],
    ['/things/.%2E/admin', 'unsafe_path'],
    ['/things/.\t./admin', 'unsafe_path'],
    ['/things\\..\\admin', 'unsafe_path'],
    ['/things#fragment', 'unsafe_path'],
  ])('the path %j', async (path, code) => {
    const server = await serve((_, response) => json(response, {}))
    const sent = await wire().send(call(api(server.origin), { target: { path } }), limits())
    expect(sent).toMatchObject({ ok: false, failure: { problem: { code }, sent: 'no', requests: 0 } })
    expect(server.seen).toEqual([])
  })

  test.each(['@evil.example/', '.evil.example/', ':1/'])('the path %j leaves no origin', async (path) => {
    const server = await serve((_, response) => json(response, {}))
    await wire().send(call(api(server.origin), { target: { path } }), limits())
    expect(server.seen.map((seen) => seen.url)).toEqual([`/${path}`])
  })

  test.each([
    'https://evil.example/x',
    'ftp://127.0.0.1/x',
    'file:///etc/passwd',
    'http://127.0.0.1:1/x',
    'https://127.0.0.1/x',
    'http://user:word@127.0.0.1/x',
  ])('the URL %s', async (url) => {
    const catalog = api('http://127.0.0.1')
    const sent = await wire().send(call(catalog, { target: { url } }), limits())
    expect(sent).toMatchObject({
      ok: false,
      failure: { problem: { code: 'undeclared_origin' }, sent: 'no', requests: 0 },
    })
  })

  test('the refusal names the origin, not the query', async () => {
    const sent = await wire().send(
      call(api('https://a.example'), { target: { url: 'https://b.example/x?key=s3cret' } }),
      limits(),
    )
    expect(sent).toEqual({
      ok: false,
      failure: {
        problem: {
          code: 'undeclared_origin',
          message: 'Nothing was sent to https://b.example: the catalog `shop` does not declare this origin.',
          next: 'Report this to the operator of the server; a program cannot change it.',
        },
        sent: 'no',
        requests: 0,
      },
    })
  })

  test('a header with a line break', async () => {
    const server = await serve((_, response) => json(response, {}))
    const sent = await wire().send(
      call(api(server.origin), { headers: [['x-a', 'b\r\nx-evil: 1']] }),
      limits(),
    )
    expect(sent).toMatchObject({ ok: false, failure: { problem: { code: 'invalid_request' }, sent: 'no' } })
    expect(server.seen).toEqual([])
  })
})
