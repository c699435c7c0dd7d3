import { expect, test } from 'vitest'
import { readProgram } from '../../../src/language/program.ts'
import { applyFix } from '../../../src/language/syntax/fix.ts'
import type { Scope } from '../../../src/language/check/model/scope.ts'
import { capability, desk, parameter } from '../desk-catalog.ts'
import { sessionOf, shop } from '../sessions.ts'

/* What a message offers in the place of what cannot be done. */

function said(program: string, scope: Scope) {
  const read = readProgram(program, scope)
  if (read.ok) return 'right'
  return read.problems.map(({ message, next, fix }) => [message, next, fix && applyFix(program, fix)])
}

test('a reference to the namesake of another API names both, and leaves the key', () => {
  const twice = sessionOf([shop, 'Customer', 'Order'], [{ ...shop, id: 'store' }, 'Customer', 'Order'])
  expect(said('e2{customer=e3("c7")}', twice)).toEqual([
    [
      '`customer` must refer to Customer (e1) of shop, got Customer (e3) of store.',
      'Write an id of Customer (e1) of shop.',
      'e2{customer="c7"}',
    ],
  ])
})

test('a method that only looks up and returns nothing is a read with conditions', () => {
  const find = capability('agent_find_by_name', 'Agent', 'action', {
    label: 'find-by-name',
    parameters: [parameter('name', undefined, true)],
    effect: 'side_effect',
    call: {
      kind: 'http',
      request: {
        method: 'POST',
        path: [{ type: 'literal', value: 'find' }],
        bodyFormat: 'json',
        response: { single: false, scalar: false },
      },
    },
  })
  const scope = sessionOf([{ ...desk, capabilities: [...desk.capabilities, find] }, 'Agent'])
  expect(said('e1.find-by-name(name=Ann)[id]', scope)).toEqual([
    ['`find-by-name` returns no rows.', 'Read the rows themselves: `e1{name="Ann"}`.', 'e1{name="Ann"}[id]'],
  ])
})

test('a query that lacks an argument names the search that needs none', () => {
  const search = capability('ticket_search', 'Ticket', 'search', {
    parameters: [parameter('q', undefined, true, 'search')],
  })
  const scope = sessionOf([{ ...desk, capabilities: [...desk.capabilities, search] }, 'Ticket'])
  expect(said('e1{title=late}', scope)).toEqual([
    [
      'A query of Ticket needs `owner` (Agent).',
      'Add `owner` (Agent), or search instead: `e1~"…"`.',
      undefined,
    ],
  ])
})
