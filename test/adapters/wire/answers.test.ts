import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { api, call, json, limits, serve, serveRaw, wire } from './fixtures.ts'

const GET = { repeatable: false }

function answering(
  body: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
  status = 200,
) {
  return serve((_, response) => {
    response.writeHead(status, headers)
    response.end(body)
  })
}

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}

async function bodyOf(text: string): Promise<unknown> {
  const server = await answering(text)
  const sent = await wire().send(call(api(server.origin), GET), limits())
  return sent.ok ? sent.reply.body : sent.failure.problem.code
}

describe('a body', () => {
  test('comes with status, headers, size and requests', async () => {
    const server = await serve((_, response) =>
      json(response, { a: 1 }, 200, { 'X-Total': '7', link: '<https://x>; rel="next"', 'set-cookie': 'a=b' }),
    )
    const sent = await wire().send(call(api(server.origin)), limits())
    expect(sent).toMatchObject({
      ok: true,
      reply: {
        status: 200,
        headers: { 'x-total': '7', link: '<https://x>; rel="next"' },
        body: { a: 1 },
        bytes: 7,
        requests: 1,
      },
    })
    expect(sent.ok && sent.reply.headers).not.toHaveProperty('set-cookie')
  })

  test('that is empty is null', async () => {
    const server = await serve((_, response) => response.writeHead(204).end())
    expect(await wire().send(call(api(server.origin), { method: 'DELETE' }), limits())).toMatchObject({
      ok: true,
      reply: { status: 204, body: null, bytes: 0 },
    })
    expect(await bodyOf('')).toBeNull()
    expect(await bodyOf(' \n')).toBeNull()
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('in %s is counted as it comes out', async (encoding, compress) => {
    const text = JSON.stringify('x'.repeat(10_000))
    const server = await answering(compress(text), { 'content-encoding': encoding })
    const sent = await wire().send(call(api(server.origin)), limits())
    expect(sent).toMatchObject({ ok: true, reply: { body: 'x'.repeat(10_000), bytes: 10_002 } })
  })

  test('that ends with its connection is read whole, however slowly it is decoded', async () => {
    const text = JSON.stringify(randomBytes(400_000).toString('hex'))
    const packed = gzipSync(text)
    const head = 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n'
    const server = await serveRaw((socket) =>
      socket.once('data', () => {
        socket.write(head)
        socket.end(packed)
      }),
    )
    const client = wire()
    for (let count = 0; count < 5; count++)
      expect(await client.send(call(api(server.origin)), limits())).toMatchObject({
        ok: true,
        reply: { bytes: text.length },
      })
  })

  test('keeps the digits of large integers', async () => {
    const text =
      '{"id":9007199254740993,"list":[-12345678901234567890,9007199254740991,1.5,1e3],"far":1e999,"text":"9007199254740993"}'
    expect(await bodyOf(text)).toEqual({
      id: '9007199254740993',
      list: ['-12345678901234567890', 9007199254740991, 1.5, 1000],
      far: '1e999',
      text: '9007199254740993',
    })
    expect(await bodyOf('{"share":0.1234567890123456}')).toEqual({ share: 0.1234567890123456 })
  })

  test.each([
    '{"__proto__":{"polluted":true},"a":1}',
    '{"__proto__":{"polluted":true},"a":12345678901234567890}',
  ])('leaves prototypes alone: %s', async (text) => {
    const body = await bodyOf(text)
    expect(Object.keys(Object(body))).toEqual(['__proto__', 'a'])
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
  })

  test('may be nested 200 levels deep, no deeper', async () => {
    expect(await bodyOf(nested(200))).toHaveLength(1)
    expect(await bodyOf(nested(201))).toBe('answer_too_deep')
    expect(await bodyOf(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)).toBe('answer_too_deep')
    expect(await bodyOf(JSON.stringify('['.repeat(1000)))).toBe('['.repeat(1000))
    expect(await bodyOf(JSON.stringify(`"\\${'['.repeat(1000)}`))).toBe(`"\\${'['.repeat(1000)}`)
  })
})

describe('an answer that is no JSON', () => {
  test('a web page', async () => {
    const server = await answering('<!doctype html><title>Log in</title>', {
      'content-type': 'text/html; charset=utf-8',
    })
    const { origin } = server
    expect(await wire().send(call(api(origin)), limits())).toEqual({
      ok: false,
      failure: {
        problem: {
          code: 'not_json',
          message: `Expected JSON from ${origin}, got a web page or XML (text/html).`,
          next: 'Use another capability, or ask the operator to check the path in the catalog.',
        },
        sent: 'yes',
        status: 200,
        requests: 1,
      },
    })
  })

  test('half a document', async () => {
    expect(await bodyOf('{"a":')).toBe('not_json')
    expect(await bodyOf('{"a":12345678901234567890')).toBe('not_json')
  })

  test('an error page keeps its status', async () => {
    const server = await answering('<html>Bad gateway</html>', { 'content-type': 'text/html' }, 500)
    expect(await wire().send(call(api(server.origin), GET), limits())).toMatchObject({
      ok: true,
      reply: { status: 500, body: null },
    })
  })

  test('an error in plain text keeps its words', async () => {
    const server = await answering('no such thing\n', { 'content-type': 'text/plain' }, 404)
    expect(await wire().send(call(api(server.origin)), limits())).toMatchObject({
      ok: true,
      reply: { status: 404, body: 'no such thing' },
    })
  })
})

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])('is a failure: %i', async (status) => {
    const elsewhere = await answering('{}')
    const server = await answering('', { location: `${elsewhere.origin}/login?token=s3cret` }, status)
    const { origin } = server
    expect(await wire().send(call(api(origin)), limits())).toEqual({
      ok: false,
      failure: {
        problem: {
          code: 'redirected',
          message: `Redirect not followed: ${origin} answered ${status} and points to ${elsewhere.origin}.`,
          next: 'Ask the operator to correct the path or the origin in the catalog.',
        },
        sent: 'yes',
        status,
        requests: 1,
      },
    })
    expect(elsewhere.seen).toEqual([])
  })
})

describe('an answer that does not end', () => {
  const slow = { timeoutMs: 200 }

  test('by its headers', async () => {
    const server = await serve(() => {})
    const { origin } = server
    expect(await wire().send(call(api(origin)), limits(slow))).toEqual({
      ok: false,
      failure: {
        problem: {
          code: 'timed_out',
          message: `No complete answer came from ${origin} within 200 ms.`,
          next: 'Request less at once, or repeat the call later.',
        },
        sent: 'unknown',
        requests: 1,
      },
    })
  })

  test('by its body', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('[1,')
    })
    expect(await wire().send(call(api(server.origin)), limits(slow))).toMatchObject({
      ok: false,
      failure: { problem: { code: 'timed_out' }, sent: 'yes', status: 200, requests: 1 },
    })
  })

  test('by drips', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const drip = setInterval(() => response.write(' '), 5)
      response.on('close', () => clearInterval(drip))
    })
    expect(await wire().send(call(api(server.origin)), limits(slow))).toMatchObject({
      ok: false,
      failure: { problem: { code: 'timed_out' }, sent: 'yes' },
    })
  })

  test('by flooding', async () => {
    const closed: Promise<unknown>[] = []
    const server = await serve((_, response) => {
      closed.push(once(response, 'close'))
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    })
    const { origin } = server
    expect(await wire().send(call(api(origin)), limits())).toEqual({
      ok: false,
      failure: {
        problem: {
          code: 'too_large',
          message: `The answer of ${origin} is larger than 1000000 bytes.`,
          next: 'Request less at once: a smaller page, fewer fields or a narrower filter.',
        },
        sent: 'yes',
        status: 200,
        requests: 1,
      },
    })
    await Promise.all(closed)
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('by unpacking: a bomb in %s', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(100_000_000, 0x20))
    expect(bomb.length).toBeLessThan(150_000)
    const server = await answering(bomb, { 'content-encoding': encoding })
    expect(await wire().send(call(api(server.origin)), limits())).toMatchObject({
      ok: false,
      failure: { problem: { code: 'too_large' }, sent: 'yes' },
    })
  })

  test('by cancelling it', async () => {
    const server = await serve((_, response) => response.writeHead(200).write('['))
    const controller = new AbortController()
    const sending = wire().send(call(api(server.origin)), limits({ signal: controller.signal }))
    while (server.seen.length === 0) await new Promise(setImmediate)
    controller.abort(new Error('no longer wanted'))
    expect(await sending).toMatchObject({
      ok: false,
      failure: { problem: { code: 'call_cancelled' }, requests: 1 },
    })
  })

  test('by cancelling it before it began', async () => {
    const server = await serve((_, response) => json(response, {}))
    expect(
      await wire().send(call(api(server.origin)), limits({ signal: AbortSignal.abort() })),
    ).toMatchObject({
      ok: false,
      failure: { problem: { code: 'call_cancelled' }, sent: 'no' },
    })
    expect(server.seen).toEqual([])
  })
})

describe('bytes that are no answer', () => {
  test.each([
    ['SSH-2.0-OpenSSH_9.6\r\n', 'unknown', 'broken_answer'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[1', 'yes', 'connection_lost'],
    ['HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello', 'yes', 'broken_answer'],
    ['HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 2\r\n\r\n{}', 'yes', 'broken_answer'],
    [
      'HTTP/1.1 200 OK\r\nContent-Encoding: gzip,gzip,gzip,gzip\r\nContent-Length: 2\r\n\r\n{}',
      'yes',
      'broken_answer',
    ],
    ['', 'unknown', 'connection_lost'],
  ])('%j', async (bytes, sent, code) => {
    const server = await serveRaw((socket) => socket.once('data', () => socket.end(bytes)))
    expect(await wire().send(call(api(server.origin), GET), limits())).toMatchObject({
      ok: false,
      failure: { problem: { code }, sent, requests: 1 },
    })
  })
})
