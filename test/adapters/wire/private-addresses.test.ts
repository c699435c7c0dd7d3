import { describe, expect, test } from 'vitest'
import { isPrivate, type Lookup } from '../../../src/adapters/wire/addresses.ts'
import { api, call, json, limits, serve, wire } from './fixtures.ts'

const leadsTo =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

const refused = (host: string) => ({
  ok: false,
  failure: {
    problem: {
      code: 'private_address',
      message: `Nothing was sent: the host ${host} of \`shop\` has a private or loopback address.`,
      next: 'Ask the operator to give this address as the server of the catalog (`--backend`, or `server` in the configuration).',
    },
    sent: 'no',
    requests: 1,
  },
})

test.each([
  ['http://10.0.0.1', 'http://169.254.169.254'],
  ['https://api.shop.example', 'http://127.0.0.1'],
  // The beginning of a host is another host.
  ['http://127.0.0.12', 'http://127.0.0.1'],
])('a catalog of %s does not reach %s, which its document names elsewhere', async (origin, other) => {
  const server = await serve((_, response) => json(response, {}))
  const target = { url: `${other}:${server.port}/latest` }
  const catalog = api(origin, { otherOrigins: [new URL(target.url).origin] })
  const sent = await wire().send(call(catalog, { target }), limits())
  expect(sent).toMatchObject({ failure: { problem: { code: 'private_address' }, sent: 'no' } })
  expect(server.seen).toEqual([])
})

describe('a name', () => {
  test.each([
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['fd00::1'],
    ['93.184.216.34', '127.0.0.1'],
  ])('that leads to %s is refused', async (...addresses) => {
    const server = await serve((_, response) => json(response, {}))
    const catalog = api(`http://api.shop.example:${server.port}`)
    expect(await wire({ lookup: leadsTo(...addresses) }).send(call(catalog), limits())).toEqual(
      refused('api.shop.example'),
    )
    expect(server.seen).toEqual([])
  })

  test('that leads inside is fine where the operator allows it', async () => {
    const server = await serve((_, response) => json(response, 'inside'))
    const origin = `http://api.shop.example:${server.port}`
    const allowPrivate = (catalog: string, asked: string) => catalog === 'shop' && asked === origin
    const sent = await wire({ lookup: leadsTo('127.0.0.1'), allowPrivate }).send(call(api(origin)), limits())
    expect(sent).toMatchObject({ ok: true, reply: { body: 'inside' } })
  })

  test('localhost is spelled out: it may lead to the loopback', async () => {
    const server = await serve((_, response) => json(response, 'here'))
    const catalog = api(`http://localhost:${server.port}`)
    expect(await wire({ lookup: leadsTo('127.0.0.1') }).send(call(catalog), limits())).toMatchObject({
      ok: true,
      reply: { body: 'here' },
    })
    expect(await wire({ lookup: leadsTo('10.0.0.1') }).send(call(catalog), limits())).toEqual(
      refused('localhost'),
    )
  })

  test('a socket that one catalog opened serves no other', async () => {
    const server = await serve((_, response) => json(response, {}))
    const origin = `http://api.shop.example:${server.port}`
    const shared = wire({ lookup: leadsTo('127.0.0.1'), allowPrivate: (catalog) => catalog === 'shop' })
    expect(await shared.send(call(api(origin)), limits())).toMatchObject({ ok: true })
    expect(await shared.send(call(api(origin, { id: 'other' })), limits())).toMatchObject({
      ok: false,
      failure: { problem: { code: 'private_address' }, sent: 'no' },
    })
  })
})

describe('a literal address', () => {
  test('in the catalog is trusted', async () => {
    const server = await serve((_, response) => json(response, 'here'))
    expect(await wire().send(call(api(server.origin)), limits())).toMatchObject({
      ok: true,
      reply: { body: 'here' },
    })
  })

  test.each([
    'http://2130706433',
    'http://0x7f.1',
    'http://0177.0.0.1',
    'http://127.1',
    'http://[::ffff:127.0.0.1]',
  ])('in disguise is refused: %s', async (disguise) => {
    const server = await serve((_, response) => json(response, {}))
    const sent = await wire().send(call(api(`${disguise}:${server.port}`)), limits())
    expect(sent).toMatchObject({
      ok: false,
      failure: { problem: { code: 'private_address' }, sent: 'no', requests: 0 },
    })
    expect(server.seen).toEqual([])
  })
})

test.each([
  ['0.0.0.0', true],
  ['10.255.255.255', true],
  ['100.64.0.1', true],
  ['127.0.0.1', true],
  ['169.254.169.254', true],
  ['172.16.0.1', true],
  ['172.32.0.1', false],
  ['192.168.0.1', true],
  ['192.169.0.1', false],
  ['224.0.0.1', true],
  ['255.255.255.255', true],
  ['8.8.8.8', false],
  ['::', true],
  ['::1', true],
  ['::ffff:8.8.8.8', true],
  ['64:ff9b::7f00:1', true],
  ['2002:7f00:1::', true],
  ['fe80::1', true],
  ['fd00:ec2::254', true],
  ['ff02::1', true],
  ['2606:4700:4700::1111', false],
])('%s is private: %s', (address, expected) => {
  expect(isPrivate(address)).toBe(expected)
})
