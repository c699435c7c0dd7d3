import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Caller, LOCAL_USER } from '../../src/access/caller.ts'
import type { Json } from '../../src/base/canonical.ts'
import type { CatalogSet } from '../../src/catalog/lookup.ts'
import type { ServedCatalog } from '../../src/catalog/model.ts'
import { DEFAULT_BUDGET } from '../../src/execution/budget.ts'
import type { WireCall } from '../../src/execution/wire.ts'
import { testEngine } from '../engine/engines.ts'
import { fixtureCatalog, setOf } from '../engine/fixtures.ts'
import { cases } from '../law-cases.ts'

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

/** A loop of calls of one capability over the rows of a list. */
interface Loop {
  readonly body: string
  readonly capability: string
  readonly isChange: boolean
}
const DELETES: Loop = { body: '_.delete()', capability: 'customer_delete', isChange: true }
const READS: Loop = { body: 'Customer(_.id)', capability: 'customer_get', isChange: false }

const sets = new Map<string, CatalogSet>()

/** The same set for the same wish, as a source gives it. */
function servedBy(wish: Wish, loop: Loop): CatalogSet {
  const key = JSON.stringify([loop.capability, wish.catalog, wish.capability, wish.sameCall, wish.origin])
  const set = sets.get(key) ?? setFor(wish, loop)
  sets.set(key, set)
  return set
}

function setFor({ catalog, capability, sameCall, origin }: Wish, loop: Loop): CatalogSet {
  if (!catalog) return setOf(library)
  const capabilities = shop.capabilities.flatMap((one) => {
    if (one.name !== loop.capability) return [one]
    return capability ? [sameCall ? one : { ...one, idempotencyHeader: 'x-key' }] : []
  })
  const served: ServedCatalog = { ...shop, origin, capabilities }
  return setOf(served, library)
}

/** May the call be made? The list before the loop is a read of another capability. */
function permits(wish: Wish, { isChange }: Loop, isList: boolean): boolean {
  const own = wish.capability && wish.sameCall && (!isChange || wish.effects === 'allow')
  return wish.catalog && wish.right && wish.credential && (isList || own)
}

const ROWS = 6
const signal = new AbortController().signal

/** A change while a call waits in the wire, and one after its answer. */
interface Changes {
  readonly before: Partial<Wish>
  readonly after: Partial<Wish>
}

/** Runs a loop; the n-th changes take place around the n-th request. Gives each request with what was wanted as it left. */
async function sentUnder(changes: readonly Changes[], loop: Loop) {
  let wish = CONTENT
  let asked = 0
  const sent: { readonly call: WireCall; readonly wish: Wish; readonly origin: string }[] = []
  let mayUse = true
  const caller: Caller = {
    ...LOCAL_USER,
    mayUseCapability: () => mayUse,
    effectPolicy: () => wish.effects,
    refresh: async () => {
      mayUse = wish.right
      return wish.credential
    },
  }
  const customers = Array.from({ length: ROWS }, (_, at) => ({ id: `c${at + 1}`, name: 'x' }))
  const bodyOf = ({ method, target }: WireCall): Json =>
    method === 'DELETE'
      ? null
      : 'path' in target && target.path.endsWith('/customers')
        ? { customers }
        : { id: 'c1', name: 'x' }
  const engine = testEngine({
    catalogs: { current: () => servedBy(wish, loop) },
    // One call at a time: what is wanted as a request leaves is known.
    budget: { ...DEFAULT_BUDGET, concurrency: 1 },
    // As the port promises: it asks right before a request leaves, and sends to the catalog that it is given.
    wire: {
      send: async (call) => {
        const own = changes[asked++]
        wish = { ...wish, ...own?.before }
        const admitted = await call.admit()
        if (!admitted.ok) {
          const [problem] = admitted.problems
          if (!problem) throw new Error('a refusal states a problem')
          return { ok: false, failure: { problem, sent: 'no', isRefused: true, requests: 0 } }
        }
        sent.push({ call, wish, origin: admitted.value.origin })
        wish = { ...wish, ...own?.after }
        const status = call.method === 'DELETE' ? 204 : 200
        return { ok: true, reply: { status, headers: {}, body: bodyOf(call), bytes: 2, requests: 1 } }
      },
    },
  })
  await engine.gateway.context(caller, { intent: 'law', seeds: [{ api: 'shop', entity: 'Customer' }] })
  const program = `rows = e1.limit(${ROWS})\nrows => ${loop.body}`
  const reply = await engine.gateway.run(caller, { logical_session_ref: 's0', program }, { signal })
  return { sent, reply }
}

/** How many requests leave of a loop of one call after the other: up to the first that is not permitted when it is asked for. */
function leaving(changes: readonly Changes[], loop: Loop): number {
  let wish = CONTENT
  for (const [at, { before, after }] of changes.entries()) {
    const late = { ...wish, ...before }
    if (!permits(wish, loop, at === 0) || !permits(late, loop, at === 0)) return at
    wish = { ...late, ...after }
  }
  return changes.length
}

const anyChanges = fc.array(fc.record({ before: anyChange, after: anyChange }), {
  minLength: ROWS + 1,
  maxLength: ROWS + 1,
})

test.each([
  ['writes', DELETES, cases(80_000)],
  ['reads', READS, cases(20_000)],
])(
  'a change around any request of a loop of %s is obeyed by the next one',
  { timeout: 900_000 },
  async (_, loop, numRuns) => {
    let stopped = 0
    await fc.assert(
      fc.asyncProperty(anyChanges, async (changes) => {
        const { sent, reply } = await sentUnder(changes, loop)
        for (const [at, { wish, origin }] of sent.entries()) {
          expect(permits(wish, loop, at === 0)).toBe(true)
          expect(origin).toBe(wish.origin)
        }
        if (!loop.isChange) {
          if (sent.length < ROWS + 1) stopped++
          return
        }
        const expected = leaving(changes, loop)
        expect(sent).toHaveLength(expected)
        const states = reply.facts?.effects.map(({ state }) => state) ?? []
        expect(states.filter((state) => state === 'done')).toHaveLength(Math.max(0, expected - 1))
        if (expected < ROWS + 1) {
          stopped++
          expect(states.slice(Math.max(0, expected - 1)).every((state) => state === 'not_sent')).toBe(true)
        }
      }),
      { numRuns },
    )
    expect(stopped).toBeGreaterThan(0)
  },
)
