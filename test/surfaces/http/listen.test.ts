import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { listen } from '../../../src/surfaces/http/listen.ts'

test('a server that ends answers all who had reached it', async () => {
  const app = { fetch: (asked: Request) => new Response(new URL(asked.url).pathname) }
  const listening = await listen(app, { host: '127.0.0.1', port: 0 })
  const { port } = new URL(listening.url)
  // The operating system takes on all of them in the time in which the server takes on one or two.
  const sockets = Array.from({ length: 32 }, () => connect(Number(port), '127.0.0.1'))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const answers = Promise.allSettled(
    sockets.map(async (socket, number) => {
      const sent = request({ path: `/${number}`, host: '127.0.0.1', createConnection: () => socket }).end()
      const [answer] = await once(sent, 'response')
      return text(answer)
    }),
  )
  await listening.close(10_000)
  expect(await answers).toEqual(sockets.map((_, number) => ({ status: 'fulfilled', value: `/${number}` })))
})

const hello = { fetch: () => new Response('hello') }

/** Everything that a server sends to who sends this. */
async function answerTo(url: string, words: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(words)
  return text(socket)
}

test.each([
  ['no HTTP', '\u0000\u0001 nonsense\r\n\r\n', 400, 'malformed_request'],
  ['a method of nobody', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'malformed_request'],
  ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
  ['no path', 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
  [
    'two lengths of one body',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'malformed_request',
  ],
  ['a long address', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, 'headers_too_large'],
  [
    'large headers',
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
])('%s is a problem as any other', async (_name, words, status, code) => {
  const listening = await listen(hello, { host: '127.0.0.1', port: 0 })
  const [head = '', body = ''] = (await answerTo(listening.url, words)).split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(head.toLowerCase()).toContain('\r\ncontent-type: application/problem+json; charset=utf-8')
  expect(head.toLowerCase()).toContain('\r\nx-content-type-options: nosniff')
  expect(head).not.toMatch(/node|hono/i)
  expect(JSON.parse(body.replaceAll(/^[0-9a-f]+\r\n|\r\n0?$/g, ''))).toMatchObject({ status, code })
  await listening.close(10)
})

test('an answer under way is cut off, never mixed with another', async () => {
  const held = new ReadableStream<Uint8Array>({ start: (out) => out.enqueue(Buffer.from('begun')) })
  const listening = await listen({ fetch: () => new Response(held) }, { host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  let answer = ''
  for await (const chunk of socket) {
    answer += String(chunk)
    if (answer.includes('begun')) socket.write('nonsense\r\n\r\n')
  }
  expect(answer).toContain('begun')
  expect(answer).not.toContain('malformed_request')
  await listening.close(10)
})

test('what a client expects besides is its own affair', async () => {
  const listening = await listen(hello, { host: '127.0.0.1', port: 0 })
  const answer = await answerTo(
    listening.url,
    'POST / HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
  )
  expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*hello/)
  await listening.close(10)
})

test.each([
  ['no request', ''],
  ['half a head', 'GET / HTTP/1.1\r\nHost: a\r\n'],
  ['half a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc'],
])('a connection that sends %s is closed after a while', async (_, sent) => {
  const patience = { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 }
  const reading = { fetch: async (asked: Request) => new Response(await asked.text()) }
  const listening = await listen(reading, { host: '127.0.0.1', port: 0 }, patience)
  expect(await answerTo(listening.url, sent)).toMatch(sent === '' ? /^$|^HTTP\/1.1 408 / : /^HTTP\/1.1 408 /)
  await listening.close(10)
})
