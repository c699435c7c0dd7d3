import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { Lookup } from '../../../src/adapters/wire/addresses.ts'
import type { Attempt } from '../../../src/adapters/wire/exchange.ts'
import { mayPass, pauseBefore } from '../../../src/adapters/wire/retry.ts'
import { api, call, json, limits, serve, serveRaw, wire } from './fixtures.ts'

const WRITE = { method: 'POST', repeatable: false } as const

/** A port without a listener. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const findsNothing: Lookup = () =>
  Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }))
const hangs: Lookup = () => new Promise(() => {})

describe('an API that is down', () => {
  test('is asked three times for a read', async () => {
    const origin = `http://127.0.0.1:${await freePort()}`
    expect(await wire().send(call(api(origin)), limits())).toEqual({
      ok: false,
      failure: {
        problem: {
          code: 'unreachable',
          message: `Cannot reach ${origin}: no server listens there (ECONNREFUSED).`,
          next: 'Repeat the call later.',
        },
        sent: 'no',
        requests: 3,
      },
    })
  })

  test('is asked once for a write, which was not sent', async () => {
    const origin = `http://127.0.0.1:${await freePort()}`
    expect(await wire().send(call(api(origin), WRITE), limits())).toMatchObject({
      ok: false,
      failure: { problem: { code: 'unreachable' }, sent: 'no', requests: 1 },
    })
  })

  test('by a name that does not exist', async () => {
    expect(
      await wire({ lookup: findsNothing }).send(call(api('https://gone.example'), WRITE), limits()),
    ).toMatchObject({
      ok: false,
      failure: {
        problem: {
          code: 'unreachable',
          message: 'Cannot reach https://gone.example: its name does not exist (ENOTFOUND).',
        },
        sent: 'no',
      },
    })
  })

  test('a name server that hangs ends with the call', async () => {
    expect(
      await wire({ lookup: hangs }).send(
        call(api('https://slow.example'), WRITE),
        limits({ timeoutMs: 100 }),
      ),
    ).toMatchObject({
      ok: false,
      failure: { problem: { code: 'timed_out' }, sent: 'no', requests: 1 },
    })
  })
})

describe('an API that falters', () => {
  test.each([429, 502, 503, 504])('is asked again after %i', async (status) => {
    const server = await serve((_, response, count) => json(response, { count }, count < 2 ? status : 200))
    expect(await wire().send(call(api(server.origin)), limits())).toMatchObject({
      ok: true,
      reply: { status: 200, body: { count: 2 }, requests: 2 },
    })
  })

  test('is given up after the third time, with its last words', async () => {
    const server = await serve((_, response, count) => json(response, { count }, 503))
    expect(await wire().send(call(api(server.origin)), limits())).toMatchObject({
      ok: true,
      reply: { status: 503, body: { count: 3 }, requests: 3 },
    })
  })

  test.each([400, 404, 500, 501])('is not asked again after %i', async (status) => {
    const server = await serve((_, response) => json(response, {}, status))
    expect(await wire().send(call(api(server.origin)), limits())).toMatchObject({
      ok: true,
      reply: { status, requests: 1 },
    })
  })

  test('gets a write once, whatever it says', async () => {
    const server = await serve((_, response) => json(response, {}, 503))
    expect(await wire().send(call(api(server.origin), WRITE), limits())).toMatchObject({
      ok: true,
      reply: { status: 503, requests: 1 },
    })
    expect(server.seen).toHaveLength(1)
  })

  test('by hanging up: a read is sent again', async () => {
    let connections = 0
    const server = await serveRaw((socket) =>
      socket.once('data', () => {
        if (++connections === 1) socket.destroy()
        else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
      }),
    )
    expect(await wire().send(call(api(server.origin)), limits())).toMatchObject({
      ok: true,
      reply: { body: {}, requests: 2 },
    })
  })

  test('by hanging up: a write is not, and its outcome is unknown', async () => {
    let connections = 0
    const server = await serveRaw((socket) => {
      connections++
      socket.once('data', () => socket.destroy())
    })
    expect(await wire().send(call(api(server.origin), WRITE), limits())).toMatchObject({
      ok: false,
      failure: { problem: { code: 'connection_lost' }, sent: 'unknown', requests: 1 },
    })
    expect(connections).toBe(1)
  })
})

function reply(header: string): Attempt {
  return { kind: 'reply', status: 429, headers: { 'retry-after': header }, body: null, bytes: 0 }
}

describe('Retry-After', () => {
  const now = Date.parse('2027-01-01T00:00:00Z')

  test('lengthens the pause up to a limit, in seconds or by date', () => {
    expect(mayPass(reply('7'))).toBe(true)
    const given = { random: 0, now, mostMs: 8000 }
    expect(pauseBefore(reply('7'), 0, given)).toBe(7000)
    expect(pauseBefore(reply('Fri, 01 Jan 2027 00:00:09 GMT'), 0, given)).toBe(8000)
    expect(pauseBefore(reply('soon'), 0, given)).toBe(100)
    expect(pauseBefore(reply('0'), 1, { ...given, random: 1 })).toBe(400)
  })

  test('beyond the deadline ends the call at once', async () => {
    const server = await serve((_, response) => json(response, {}, 429, { 'retry-after': '60' }))
    expect(await wire().send(call(api(server.origin)), limits({ timeoutMs: 2000 }))).toMatchObject({
      ok: true,
      reply: { status: 429, headers: { 'retry-after': '60' }, requests: 1 },
    })
  })

  test('within the deadline is waited for', async () => {
    const at: number[] = []
    const server = await serve((_, response, count) => {
      at.push(performance.now())
      json(response, {}, count === 1 ? 429 : 200, { 'retry-after': '1' })
    })
    expect(await wire().send(call(api(server.origin)), limits())).toMatchObject({
      ok: true,
      reply: { status: 200, requests: 2 },
    })
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(990)
  })
})
