import { expect, test } from 'vitest'
import { pin } from '../../src/catalog/digest.ts'
import type { Capability } from '../../src/catalog/model.ts'
import type { Operation } from '../../src/language/plan/plan.ts'
import { arg, query, run } from './plans.ts'
import { capability, entity, field, request } from './tracker.ts'

const get: Operation = { kind: 'get', capability: 'item_do', identity: [arg('id', '1')], arguments: [] }
const change: Operation = { kind: 'call', capability: 'item_do', identity: [arg('id', '1')], arguments: [] }

/** What comes of a plan over one capability that differs in this from one that runs. */
async function outcome(kind: Capability['kind'], operation: Operation, more: Partial<Capability>) {
  const one = capability('item_do', 'Item', kind, request('GET', '/items/{id}'), more)
  const pinned = pin({
    id: 'shop',
    version: 1,
    origin: 'http://127.0.0.1:9',
    otherOrigins: [],
    aliases: [],
    entities: [entity('Item', [field('id')])],
    capabilities: [one],
    auth: { scheme: 'none' },
    unsupported: [],
  })
  const sent: string[] = []
  const wire = {
    send: async () => {
      sent.push('call')
      throw new Error('nothing is to be sent')
    },
  }
  const { problems, effects } = await run(pinned, [{ id: 'n', entity: 'Item', operation }], { wire })
  return {
    sent,
    problems: problems.map(({ message }) => message),
    effects: effects.map(({ state }) => state),
  }
}

const kinds = [
  ['query', query('item_do'), [], 'shop.Item'],
  ['get', get, [], 'shop.Item'],
  ['action', change, ['not_sent'], 'shop.Item.item_do'],
] as const

test.each(kinds)('a %s that needs what we lack is not sent', async (kind, operation, effects, name) => {
  expect(await outcome(kind, operation, { unsupported: ['multipart bodies'] })).toEqual({
    sent: [],
    problems: [`\`${name}\` cannot run here: it needs \`multipart bodies\`.`],
    effects,
  })
})

test.each(kinds)(
  'a %s of a kind that no source makes is not sent',
  async (kind, operation, effects, name) => {
    expect(await outcome(kind, operation, { call: null })).toEqual({
      sent: [],
      problems: [`\`${name}\` cannot run here: it needs \`a request template\`.`],
      effects,
    })
  },
)

test('a view changes nothing', async () => {
  const call = { kind: 'view', view: { scope: [], nodes: [], outputs: [], relations: [] } } as const
  expect(await outcome('action', change, { call })).toEqual({
    sent: [],
    problems: ['`shop.Item.item_do` cannot run here: it needs `a request template`.'],
    effects: ['not_sent'],
  })
})
