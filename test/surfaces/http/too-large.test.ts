import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

interface Upload {
  readonly path: string
  readonly bytes: number
  readonly isChunked: boolean
  /** Milliseconds between two pieces. */
  readonly pause: number
}

const PIECE = Buffer.alloc(65_536, 0x20)

/** Sends a body on a socket of its own, as a client does that reads only after it wrote: the status, or the error. */
function upload({ path, bytes, isChunked, pause }: Upload): Promise<string> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('data', (data) => {
      answer += String(data)
      if (answer.endsWith('}')) resolve(answer.slice(9, 12))
    })
    socket.on('error', (error) => resolve(error.message))
    socket.write(
      [
        `POST ${path} HTTP/1.1`,
        `Host: ${hostname}`,
        `Authorization: Bearer ${server.token}`,
        'Content-Type: application/json',
        'Accept: application/json, text/event-stream',
        isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`,
        '\r\n',
      ].join('\r\n'),
    )
    const send = (left: number): void => {
      if (left <= 0) return void (isChunked && socket.write('0\r\n\r\n'))
      const piece = PIECE.subarray(0, left)
      socket.write(isChunked ? `${piece.length.toString(16)}\r\n${String(piece)}\r\n` : piece)
      if (pause > 0) setTimeout(send, pause, left - piece.length)
      else setImmediate(send, left - piece.length)
    }
    send(bytes)
  })
}

const ways: readonly [string, Pick<Upload, 'isChunked' | 'pause'>][] = [
  ['with its length', { isChunked: false, pause: 0 }],
  ['in chunks', { isChunked: true, pause: 0 }],
  ['slowly, with its length', { isChunked: false, pause: 30 }],
  ['slowly, in chunks', { isChunked: true, pause: 30 }],
]

test.each(ways)('a body over the cap is 413 every time: %s', { timeout: 60_000 }, async (_, how) => {
  const uploads = ['/v1/contexts', '/mcp'].flatMap((path) =>
    Array.from({ length: 5 }, () => ({ path, bytes: 5_000_000, ...how })),
  )
  expect(new Set(await Promise.all(uploads.map(upload)))).toEqual(new Set(['413']))
})

test('the connection of a body that was read to its end is used again', async () => {
  const response = await server.send('POST', '/v1/contexts', ' '.repeat(2_000_000), {
    'content-type': 'application/json',
  })
  expect([response.status, response.headers.get('connection')]).toEqual([413, 'keep-alive'])
})
