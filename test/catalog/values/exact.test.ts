import { expect, test } from 'vitest'
import type { Parameter, Type } from '../../../src/catalog/model.ts'
import { exactNumber, exactValue, keptJson, parseExact } from '../../../src/catalog/values/exact.ts'
import { coerce } from '../../../src/catalog/values/value.ts'
import { jsonText } from '../../../src/base/json.ts'

const LARGE = '9007199254740993'
const integer: Type = { kind: 'integer' }
const field = (name: string, type: Type): Parameter => ({ name, type, required: false, role: 'plain' })

test('digits become the number that they state', () => {
  expect(['7', '-7', LARGE, `-${LARGE}`, '1e20', '0.5', '', 'x'].map(exactNumber)).toEqual([
    7,
    -7,
    9007199254740993n,
    -9007199254740993n,
    1e20,
    0.5,
    '',
    'x',
  ])
})

test('a value is sent by its type, at any depth', () => {
  const type: Type = {
    kind: 'object',
    fields: [
      field('ids', { kind: 'array', items: integer }),
      field('name', { kind: 'string', semantics: 'short' }),
    ],
    open: true,
  }
  const value = { ids: [LARGE, 1], name: LARGE, more: LARGE }
  expect(jsonText(exactValue(type, value, undefined))).toBe(
    `{"ids":[${LARGE},1],"name":"${LARGE}","more":"${LARGE}"}`,
  )
})

test('text of JSON keeps all digits', () => {
  expect(parseExact(`{"id": ${LARGE}, "of": [1, 2.5]}`)).toEqual({ id: 9007199254740993n, of: [1, 2.5] })
  expect(parseExact('{')).toBeUndefined()
})

test('a kept value fits to the same value again', () => {
  const value = { id: 9007199254740993n }
  expect(keptJson(value)).toBe(`{"id":${LARGE}}`)
  expect(coerce({ kind: 'json' }, keptJson(value))).toEqual({ ok: true, value })
})

test('a whole double beyond 2^53 is an integer', () => {
  expect(coerce(integer, 2 ** 60)).toEqual({ ok: true, value: '1152921504606846976' })
  expect(coerce(integer, Infinity).ok).toBe(false)
})
