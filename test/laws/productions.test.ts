import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Operation } from '../../src/language/plan/plan.ts'
import type { Expression, Head, Operator, Segment, TextValue, Value } from '../../src/language/syntax/tree.ts'
import { anyProgram } from '../language/generators.ts'
import { planOfText } from '../language/read.ts'
import { inBoth } from '../language/sessions.ts'
import { RIGHT } from './valid-programs.ts'

/* The laws say as much as the programs that they are tried on: every production, and every step of a plan, is among them. */

type Production =
  | Expression['kind']
  | Head['kind']
  | Segment['kind']
  | Value['kind']
  | TextValue['form']
  | Operator
  | 'bindings'
  | 'several roots'
  | 'qualified'
  | 'null'
  | 'ellipsis'

const PRODUCTIONS = {
  '=': true,
  '!=': true,
  '<': true,
  '<=': true,
  '>': true,
  '>=': true,
  '~': true,
  bare: true,
  bindings: true,
  call: true,
  constructor: true,
  cursor: true,
  double: true,
  each: true,
  ellipsis: true,
  filter: true,
  get: true,
  heredoc: true,
  hole: true,
  list: true,
  literal: true,
  name: true,
  null: true,
  number: true,
  object: true,
  page: true,
  path: true,
  project: true,
  qualified: true,
  query: true,
  reverse: true,
  rows: true,
  search: true,
  'several roots': true,
  single: true,
  step: true,
  template: true,
  text: true,
} satisfies Record<Production, true>

test('random programs reach every production', () => {
  const reached = new Set<string>()
  for (const program of fc.sample(anyProgram, { numRuns: 1000, seed: 2026 })) {
    if (program.bindings.length > 0) reached.add('bindings')
    if (program.roots.length > 1) reached.add('several roots')
    JSON.stringify(program, (key, held: unknown) => {
      if ((key === 'kind' || key === 'form' || key === 'operator') && typeof held === 'string')
        reached.add(held)
      if (key === 'ellipsis') reached.add('ellipsis')
      if (isNamed(held)) reached.add('qualified')
      if (isNull(held)) reached.add('null')
      return held
    })
  }
  expect([...reached].toSorted()).toEqual(Object.keys(PRODUCTIONS).toSorted())
})

function isNamed(held: unknown): boolean {
  return (
    isObject(held) && typeof held['text'] === 'string' && /^\w+:\w+$/.test(held['text']) && !('kind' in held)
  )
}

/** `field=` */
function isNull(held: unknown): boolean {
  return isObject(held) && 'operator' in held && !('value' in held)
}

function isObject(held: unknown): held is Record<string, unknown> {
  return typeof held === 'object' && held !== null
}

const STEPS = {
  aggregate: true,
  call: true,
  data: true,
  each: true,
  filter: true,
  get: true,
  limit: true,
  page: true,
  project: true,
  query: true,
  reference: true,
  relation: true,
  render: true,
  reverse: true,
  singleton: true,
  sort: true,
} satisfies Record<Operation['kind'], true>

test('right programs reach every step', () => {
  const reached = new Set(
    RIGHT.flatMap((text) => planOfText(text, inBoth).nodes.map(({ operation }) => operation.kind)),
  )
  expect([...reached].toSorted()).toEqual(Object.keys(STEPS).toSorted())
})
