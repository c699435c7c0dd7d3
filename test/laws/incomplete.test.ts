import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { pin } from '../../src/catalog/digest.ts'
import { execute } from '../../src/execution/executor.ts'
import type { Wire, WireCall } from '../../src/execution/wire.ts'
import type { Plan } from '../../src/language/plan/plan.ts'
import { readProgram } from '../../src/language/program.ts'
import { symbolSpace } from '../../src/session/exposure.ts'
import { fixtureCatalog } from '../engine/fixtures.ts'
import { valuesOf, worldOf } from '../execution/plans.ts'
import { cases } from '../law-cases.ts'

/*
 * Over an API that fails at one place, a program gives what it gives over the sound one, or says that it does not; and
 * it makes the changes that it makes over the sound one, or none.
 */

const pinned = pin(fixtureCatalog('shop'))
const { catalog } = pinned
const entities = catalog.entities.map(({ name }) => name).toSorted()
const space = symbolSpace(
  [
    {
      revision: 1,
      generation: 1,
      picks: [{ catalog: catalog.id, digest: pinned.digest, lens: 'all', entities }],
    },
  ],
  () => catalog,
)

const CITIES = ['Paris', 'Rome', 'Oslo']
const customers = Array.from({ length: 8 }, (_, index) => ({
  id: `c${index + 1}`,
  name: `N${(index * 5) % 8}`,
  email: `c${index + 1}@shop.example`,
  tier: index % 3 === 0 ? 'gold' : 'silver',
  joined_at: `2026-01-0${8 - index}T00:00:00Z`,
}))
const ordersOf = (customer: string) => {
  const number = Number(customer.slice(1))
  return Array.from({ length: number % 4 }, (_, index) => ({
    id: `o${number}${index}`,
    customer,
    status: index === 0 ? 'open' : 'paid',
    total: (number * 7 + index * 3) % 10,
  }))
}

/** Where the API, or the budget, gives out. */
type Fault =
  | { readonly kind: 'page' | 'repeat' | 'bad row'; readonly page: number }
  | { readonly kind: 'customer' | 'orders'; readonly id: string }
  | { readonly kind: 'budget'; readonly calls: number }
  | { readonly kind: 'none' }

/** What the API answers, or nothing where it fails. */
function answer({ method, target, query }: WireCall, fault: Fault): Json | undefined {
  const [, , id, orders] = ('path' in target ? target.path : '').split('/')
  if (method !== 'GET') return { id: id ?? 'c9', name: 'x', email: 'x@example.org' }
  const numberOf = (name: string) => Number(query.find(([key]) => key === name)?.[1] ?? 0)
  if (id === undefined) {
    const page = numberOf('page')
    if (fault.kind === 'page' && fault.page === page) return undefined
    const from = fault.kind === 'repeat' && fault.page === page && page > 1 ? page - 2 : page - 1
    const tier = query.find(([key]) => key === 'tier')?.[1]
    const rows: Json[] = customers
      .filter((one) => tier === undefined || one.tier === tier)
      .slice(from * 3, from * 3 + 3)
    return { customers: fault.kind === 'bad row' && fault.page === page ? [[], ...rows.slice(1)] : rows }
  }
  if (orders !== undefined) {
    if (fault.kind === 'orders' && fault.id === id) return undefined
    return { orders: ordersOf(id).slice(numberOf('offset'), numberOf('offset') + 2) }
  }
  if (fault.kind === 'customer' && fault.id === id) return undefined
  const found = customers.find((one) => one.id === id)
  return found ? { ...found, address: { city: CITIES[Number(id.slice(1)) % 3] ?? '' } } : undefined
}

/** The API without a network, and what was changed on it. */
function api(fault: Fault): { readonly wire: Wire; readonly writes: string[] } {
  const writes: string[] = []
  const wire: Wire = {
    send: (call) => {
      if (call.method !== 'GET')
        writes.push(
          `${call.method} ${'path' in call.target ? call.target.path : ''} ${JSON.stringify(call.body?.value)}`,
        )
      const body = answer(call, fault)
      const reply = { status: body === undefined ? 500 : 200, headers: {}, bytes: 100, requests: 1 }
      return Promise.resolve({ ok: true, reply: { ...reply, body: body ?? { error: 'down' } } })
    },
  }
  return { wire, writes }
}

async function run(plan: Plan, fault: Fault) {
  const { wire, writes } = api(fault)
  const budget = fault.kind === 'budget' ? { calls: fault.calls } : {}
  const { results, effects, problems } = await execute(plan, worldOf(pinned, { wire, budget }))
  const roots = results.map((root) => ({ rows: valuesOf(root), partial: root.partial }))
  return { roots, writes, effects, codes: problems.map(({ code }) => code) }
}

const source = fc.constantFrom(
  'Customer',
  'Customer{tier=gold}',
  'Customer{city=Paris}',
  'Customer{name~"N"}',
  'Customer.limit(4)',
)
const ofCustomers = fc.constantFrom('', '.sort(joined_at)', '.sort(city, desc)', '.sort(name).limit(2)')
const customerEnds = fc.constantFrom(
  '',
  '.sort(joined_at).limit(1)',
  '.limit(2)',
  '[name]',
  '[name, city]',
  '.aggregate(n=count)',
  '.group_by(tier, n=count).sort(n, desc).limit(1)',
  '.group_by(city, n=count)',
  ' => Customer(_.id)',

  ' => _.delete()',
  ' => _.update(notes=_.city)',
  ' => Customer.create(name=_.name, email="x@example.org")',
)
const orderEnds = fc.constantFrom(
  '',
  '.sort(total).limit(1)',
  '.aggregate(n=count, sum=sum(total))',
  '.group_by(status, n=count)',
  '[id, total]',
  '[id, customer.city]',
  ' => _.cancel()',
)
const counted = fc.constantFrom(
  'x = %.aggregate(n=count)\nCustomer.create(name="${x.n}", email="x@example.org")',
  'x = %.aggregate(n=count)\ny = {of=x.n}\ny',
  'x = %.sort(joined_at).limit(1)\nCustomer(x.id).delete()',
  'x = %.sort(joined_at).limit(1)\ny = Order{customer=x}\ny => _.cancel()',
  'x = %\nx.aggregate(n=count), x[name]',
)
const chained = fc.tuple(source, ofCustomers).map((parts) => parts.join(''))
const anyProgram = fc.oneof(
  fc.tuple(chained, customerEnds).map((parts) => parts.join('')),
  fc.tuple(chained, orderEnds).map(([from, end]) => `${from}.orders${end}`),
  fc.tuple(chained, counted).map(([from, text]) => text.replace('%', from)),
)
const ids = fc.integer({ min: 1, max: 8 }).map((number) => `c${number}`)
const anyFault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ kind: fc.constantFrom('page', 'repeat', 'bad row'), page: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constantFrom('customer', 'orders'), id: ids }),
  fc.record({ kind: fc.constant('budget' as const), calls: fc.integer({ min: 1, max: 20 }) }),
)

const plans = new Map<string, Plan>()
function planOf(text: string): Plan {
  let plan = plans.get(text)
  if (plan) return plan
  const read = readProgram(text, { space, model: () => catalog, allows: () => true, ref: 's0' })
  if (!read.ok) throw new Error(`${text}: ${read.problems[0]?.message}`)
  plans.set(text, (plan = read.plan))
  return plan
}

/** What the sound API gives. */
const wholes = new Map<string, ReturnType<typeof run>>()
function wholeOf(text: string, plan: Plan): ReturnType<typeof run> {
  let whole = wholes.get(text)
  if (!whole) wholes.set(text, (whole = run(plan, { kind: 'none' })))
  return whole
}

test('what is not marked is whole, and changes are made of nothing else', { timeout: 900_000 }, async () => {
  const seen = { marked: 0, refused: 0, changed: 0 }
  await fc.assert(
    fc.asyncProperty(anyProgram, anyFault, async (text, fault) => {
      const plan = planOf(text)
      const [whole, got] = [await wholeOf(text, plan), await run(plan, fault)]
      for (const [index, root] of got.roots.entries()) {
        if (root.partial === 'failed' || root.partial === 'budget') seen.marked++
        else expect(root).toEqual(whole.roots[index])
      }
      if (got.codes.includes('incomplete_input')) seen.refused++
      if (got.writes.length > 0) seen.changed++
      // A budget may end among the changes themselves: those that were made are the first of the right ones.
      expect(got.writes).toEqual(whole.writes.slice(0, got.writes.length))
      if (got.codes.includes('incomplete_input')) expect(got.writes).toEqual([])
      else if (fault.kind !== 'budget' && got.effects.length > 0 && got.writes.length > 0)
        expect(got.writes).toEqual(whole.writes)
    }),
    { numRuns: cases(100_000) },
  )
  expect(Math.min(seen.marked, seen.refused, seen.changed)).toBeGreaterThan(cases(100_000) / 100)
})
