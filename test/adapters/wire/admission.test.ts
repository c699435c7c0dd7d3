import { expect, test } from 'vitest'
import { failed, ok } from '../../../src/base/diagnostic.ts'
import { api, call, json, limits, serve, wire } from './fixtures.ts'

const revoked = { code: 'credential_revoked', message: 'Your key was revoked.', next: 'Ask for another one.' }

test('a call that is no longer admitted is not sent', async () => {
  const server = await serve((_, response) => json(response, {}))
  const sent = await wire().send(call(api(server.origin), { admit: async () => failed([revoked]) }), limits())
  expect(sent).toEqual({ ok: false, failure: { problem: revoked, sent: 'no', isRefused: true, requests: 0 } })
  expect(server.seen).toEqual([])
})

test('a call goes where its catalog is served when its turn comes', async () => {
  const [first, second] = [await serve((_, r) => json(r, 1)), await serve((_, r) => json(r, 2))]
  const now = api(second.origin, { auth: { scheme: 'bearer', secret: 'env:KEY', optional: false } })
  const sent = await wire().send(call(api(first.origin), { admit: async () => ok(now) }), limits())
  expect(sent).toMatchObject({ ok: true, reply: { body: 2 } })
  expect(first.seen).toEqual([])
  expect(second.seen.map(({ headers }) => headers['authorization'])).toEqual(['Bearer key-0123456789'])
})

test('a retry that is not admitted leaves the last answer', async () => {
  const server = await serve((_, response) => json(response, {}, 503))
  const catalog = api(server.origin)
  let asked = 0
  const admit = async () => (++asked === 1 ? ok(catalog) : failed([revoked]))
  expect(await wire().send(call(catalog, { admit }), limits())).toMatchObject({
    ok: true,
    reply: { status: 503, requests: 1 },
  })
  expect(server.seen).toHaveLength(1)
})

test('a reader who joined another one keeps its own rights', async () => {
  const server = await serve((_, response, count) => json(response, { count }))
  const catalog = api(server.origin)
  let end = () => {}
  const asked = new Promise<void>((resolve) => void (end = resolve))
  const waiting = async () => asked.then(() => failed([revoked]))
  const sender = wire()
  const sent = [
    sender.send(call(catalog, { principal: 'ann', admit: waiting }), limits()),
    sender.send(call(catalog, { principal: 'ann' }), limits()),
  ]
  end()
  const [first, second] = await Promise.all(sent)
  expect(first).toMatchObject({ ok: false, failure: { isRefused: true } })
  expect(second).toMatchObject({ ok: true, reply: { body: { count: 1 } } })
})
