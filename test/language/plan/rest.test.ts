import { expect, test } from 'vitest'
import type { Plan } from '../../../src/language/plan/plan.ts'
import { restOf } from '../../../src/language/plan/rest.ts'
import { arg, each, planOf } from '../../execution/plans.ts'
import { pin } from '../../../src/catalog/digest.ts'
import { fixtureCatalog } from '../../engine/fixtures.ts'

const pinned = pin(fixtureCatalog('shop'))
const plan: Plan = planOf(pinned, [
  { id: 'rows', operation: { kind: 'data', value: { kind: 'literal', value: [] } } },
  {
    id: 'loop',
    entity: 'Customer',
    operation: {
      kind: 'each',
      source: 'rows',
      body: {
        kind: 'call',
        capability: 'customer_update',
        identity: [each('id', ['id'])],
        arguments: [each('name', ['name']), arg('tier', 'gold')],
      },
    },
  },
])
const calls = [{ identity: { id: 'c4' }, arguments: { name: 'D', tier: 'gold' } }]

test('the rest of a loop holds its values and reads nothing', () => {
  const rest = restOf(plan, 'loop', calls)
  expect(rest?.nodes.map(({ effect, inputs }) => [effect, inputs])).toEqual([
    ['pure', []],
    ['write', ['n1']],
  ])
  expect(rest?.nodes[0]?.operation).toEqual({ kind: 'data', value: { kind: 'literal', value: calls } })
  expect(rest?.returns).toEqual([{ label: 'loop', node: 'n2' }])
  expect(restOf(plan, 'loop', [{ ...calls[0], arguments: { name: 'E' } }])?.digest).not.toBe(rest?.digest)
})

test('what is no loop of calls has no rest', () => {
  expect([restOf(plan, 'rows', calls), restOf(plan, 'gone', calls)]).toEqual([undefined, undefined])
})
