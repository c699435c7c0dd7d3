import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Caller, LOCAL_USER } from '../../src/access/caller.ts'
import type { Json } from '../../src/base/canonical.ts'
import type { CatalogSet } from '../../src/catalog/lookup.ts'
import type { ServedCatalog } from '../../src/catalog/model.ts'
import type { WireCall } from '../../src/execution/wire.ts'
import { testEngine } from '../engine/engines.ts'
import { fixtureCatalog, setOf } from '../engine/fixtures.ts'
import { cases, SEED } from '../law-cases.ts'

/** What the operator wants at one moment. */
interface Wish {
  readonly catalog: boolean
  readonly capability: boolean
  readonly sameCall: boolean
  readonly right: boolean
  readonly credential: boolean
  readonly effects: 'allow' | 'deny'
  readonly origin: string
}

const CONTENT: Wish = {
  catalog: true,
  capability: true,
  sameCall: true,
  right: true,
  credential: true,
  effects: 'allow',
  origin: 'https://a.example/v1',
}
const anyChange: fc.Arbitrary<Partial<Wish>> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('a', 'b', 'c').map((host) => ({ origin: `https://${host}.example/v1` })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Partial<Wish>>(
      { catalog: false },
      { capability: false },
      { sameCall: false },
      { right: false },
      { credential: false },
      { effects: 'deny' },
    ),
  },
)

const shop = fixtureCatalog('shop')
const library = fixtureCatalog('library')

const sets = new Map<string, CatalogSet>()

/** The same set for the same wish, as a source gives it. */
function servedBy(wish: Wish): CatalogSet {
  const key = JSON.stringify([wish.catalog, wish.capability, wish.sameCall, wish.origin])
  const set = sets.get(key) ?? setFor(wish)
  sets.set(key, set)
  return set
}

function setFor({ catalog, capability, sameCall, origin }: Wish): CatalogSet {
  if (!catalog) return setOf(library)
  const capabilities = shop.capabilities.flatMap((one) => {
    if (one.name !== 'customer_delete') return [one]
    return capability ? [sameCall ? one : { ...one, idempotencyHeader: 'x-key' }] : []
  })
  const served: ServedCatalog = { ...shop, origin, capabilities }
  return setOf(served, library)
}

function permits(wish: Wish): boolean {
  return JSON.stringify({ ...wish, origin: '' }) === JSON.stringify({ ...CONTENT, origin: '' })
}

const ROWS = 6
const signal = new AbortController().signal

/** Runs a loop of writes; the n-th change takes place after the n-th request. Gives each request with what was wanted then. */
async function sentUnder(changes: readonly Partial<Wish>[]) {
  let wish = CONTENT
  const sent: { readonly call: WireCall; readonly wish: Wish }[] = []
  let loaded = { right: true, credential: true }
  const caller: Caller = {
    ...LOCAL_USER,
    mayUseCapability: () => loaded.right && loaded.credential,
    effectPolicy: () => wish.effects,
    refresh: async () => {
      loaded = { right: wish.right, credential: wish.credential }
      return wish.credential
    },
  }
  const customers = Array.from({ length: ROWS }, (_, at) => ({ id: `c${at + 1}`, name: 'x' }))
  const engine = testEngine({
    catalogs: { current: () => servedBy(wish) },
    wire: {
      send: async (call) => {
        sent.push({ call, wish })
        const isRead = call.method === 'GET'
        const body: Json = isRead ? { customers } : null
        wish = { ...wish, ...changes[sent.length - 1] }
        return { ok: true, reply: { status: isRead ? 200 : 204, headers: {}, body, bytes: 2, requests: 1 } }
      },
    },
  })
  await engine.gateway.context(caller, { intent: 'law', seeds: [{ api: 'shop', entity: 'Customer' }] })
  const program = `rows = e1.limit(${ROWS})\nrows => _.delete()`
  const reply = await engine.gateway.run(caller, { logical_session_ref: 's0', program }, { signal })
  return { sent, reply }
}

test('a change between any two requests is obeyed by the next one', { timeout: 900_000 }, async () => {
  let stopped = 0
  const changes = fc.array(anyChange, { minLength: ROWS + 1, maxLength: ROWS + 1 })
  await fc.assert(
    fc.asyncProperty(changes, async (given) => {
      const { sent, reply } = await sentUnder(given)
      for (const { call, wish } of sent) {
        expect(permits(wish)).toBe(true)
        expect(call.catalog.origin).toBe(wish.origin)
      }
      // The read is request 0, and the write of row n is request n + 1: the first that is not permitted ends the loop.
      const wishes = given.reduce<Wish[]>((all, one) => [...all, { ...(all.at(-1) ?? CONTENT), ...one }], [])
      const first = wishes.findIndex((wish) => !permits(wish))
      const expected = first === -1 ? ROWS + 1 : Math.min(first + 1, ROWS + 1)
      expect(sent).toHaveLength(expected)
      const states = reply.facts?.effects.map(({ state }) => state) ?? []
      expect(states.filter((state) => state === 'done')).toHaveLength(expected - 1)
      if (expected < ROWS + 1) {
        stopped++
        expect(states.slice(expected - 1).every((state) => state === 'not_sent')).toBe(true)
      }
    }),
    { numRuns: cases(100_000), seed: SEED },
  )
  expect(stopped).toBeGreaterThan(0)
})
