import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ExactJson, Json } from '../../../src/base/canonical.ts'
import type { Slot, Type } from '../../../src/catalog/model.ts'
import { coerce, describeType, type Fitted } from '../../../src/catalog/values/value.ts'

const text: Type = { kind: 'string', semantics: 'short' }
const status: Type = { kind: 'select', options: ['open', 'closed'] }
const id = (name: string, type: Type = text): Slot => ({ name, type, required: true })
const keys: Record<string, readonly Slot[]> = {
  User: [id('login')],
  Item: [id('id', { kind: 'integer' })],
  Repository: [id('owner'), id('repo')],
}
const keyOf = (entity: string) => keys[entity]
const fit = (type: Type, value: ExactJson, now?: number): Fitted =>
  coerce(type, value, { keyOf, ...(now !== undefined && { now }) })
const value = (type: Type, given: Json, now?: number) => {
  const fitted = fit(type, given, now)
  return fitted.ok ? fitted.value : `wanted ${fitted.expected}, got ${fitted.actual}`
}

describe('scalars', () => {
  it('text takes numbers as their digits', () => {
    expect(value(text, 42)).toBe('42')
    expect(value(text, '123456789012345678901')).toBe('123456789012345678901')
    expect(value(text, true)).toBe('wanted str, got true')
  })
  it('an integer takes numeric text and whole floats', () => {
    const integer: Type = { kind: 'integer' }
    expect(['10', '3.0', 7].map((one) => value(integer, one))).toEqual([10, 3, 7])
    expect(value(integer, '2.5')).toBe('wanted int, got "2.5"')
    expect(value(integer, 'ten')).toBe('wanted int, got "ten"')
  })
  it('keeps the digits of integers beyond 2^53', () => {
    expect(value({ kind: 'integer' }, '123456789012345678901')).toBe('123456789012345678901')
  })
  it('a number takes numeric text', () => {
    expect(['5', '-1.5e3', 2.5].map((one) => value({ kind: 'number' }, one))).toEqual([5, -1500, 2.5])
    expect(value({ kind: 'number' }, 'NaN')).toBe('wanted num, got "NaN"')
  })
  it('a boolean takes true and false in any case, nothing else', () => {
    expect(['TRUE', 'false', true].map((one) => value({ kind: 'boolean' }, one))).toEqual([true, false, true])
    expect(value({ kind: 'boolean' }, 'yes')).toBe('wanted bool, got "yes"')
  })
  it('an option must match exactly, and a misspelling gets the nearest one', () => {
    expect(value(status, 'open')).toBe('open')
    expect(fit(status, 'Opn')).toEqual({
      ok: false,
      expected: 'open|closed',
      actual: '"Opn"',
      path: '',
      nearest: ['open'],
    })
  })
  it('bytes are base64, or text in braces', () => {
    const blob: Type = { kind: 'blob' }
    const kept = ['aGVsbG8=', 'aGVs\nbG8', 'aGVs\r\nbG8=\n', '-_-_', '', { text: 'any ünïcode' }]
    expect(kept.map((one) => value(blob, one))).toEqual(kept)
    const wanted = 'wanted base64, or {text: …} for text that is encoded here, got'
    expect(value(blob, 'hello world')).toBe(`${wanted} "hello world"`)
    expect(value(blob, 'hello')).toBe(`${wanted} "hello"`)
    expect(value(blob, 'file:///etc/passwd')).toBe(`${wanted} "file:///etc/passwd"`)
    expect(value(blob, { path: '/etc/passwd' })).toBe(`${wanted} {path}`)
    expect(value(blob, { text: 'a', path: 'b' })).toBe(`${wanted} {text, path}`)
    expect(value(blob, 12345)).toBe(`${wanted} 12345`)
  })
  it('a uuid has its form', () => {
    const uuid = '0b7f0a52-3a1d-4a57-9c5b-0e8f5f1a2b3c'
    expect(value({ kind: 'uuid' }, uuid)).toBe(uuid)
    expect(value({ kind: 'uuid' }, 'ENG-42')).toBe('wanted uuid, got "ENG-42"')
  })
  it('null is nothing but json', () => {
    expect(fit(text, null).ok).toBe(false)
    expect(value({ kind: 'json' }, null)).toBe(null)
  })
})

const at = (format: 'rfc3339' | 'unix_ms' | 'unix_sec' | 'iso8601_date'): Type => ({ kind: 'date', format })

describe('dates', () => {
  const now = 1_714_566_645_500 // 2024-05-01T12:30:45.500Z, a Wednesday

  it('are encoded as the slot says', () => {
    expect(value(at('rfc3339'), '2024-01-31')).toBe('2024-01-31T00:00:00Z')
    expect(value(at('unix_ms'), '2024-01-31T12:30:00+02:00')).toBe(1_706_697_000_000)
    expect(value(at('unix_sec'), '2024-01-31')).toBe(1_706_659_200)
    expect(value(at('iso8601_date'), '2024-01-31T23:59:59Z')).toBe('2024-01-31')
  })
  it('a complete time keeps its offset', () => {
    expect(value(at('rfc3339'), '2024-01-31T12:30:00+02:00')).toBe('2024-01-31T12:30:00+02:00')
  })
  it('digits are seconds or milliseconds since the epoch', () => {
    expect(value(at('rfc3339'), 1_700_000_000)).toBe('2023-11-14T22:13:20Z')
    expect(value(at('unix_sec'), '1700000000000')).toBe(1_700_000_000)
  })
  it('digits in the unit of the API keep their fraction', () => {
    expect(value(at('unix_sec'), '1700000000.25')).toBe(1_700_000_000.25)
    expect(value(at('unix_sec'), '1700000000.000100')).toBe('1700000000.000100')
  })
  it('an API with digits as text gets text', () => {
    expect(value({ kind: 'date', format: 'unix_ms', text: true }, '2024-01-31')).toBe('1706659200000')
  })
  it('words count from now, days from midnight UTC', () => {
    const words = [
      'today',
      'Tomorrow',
      'yesterday',
      'next-week',
      'last month',
      'this week',
      'this year',
      '3 days ago',
    ]
    expect(words.map((word) => value(at('iso8601_date'), word, now))).toEqual([
      '2024-05-01',
      '2024-05-02',
      '2024-04-30',
      '2024-05-08',
      '2024-04-01',
      '2024-04-29',
      '2024-01-01',
      '2024-04-28',
    ])
    expect(value(at('rfc3339'), 'now', now)).toBe('2024-05-01T12:30:45.500Z')
    expect(value(at('unix_ms'), 'now-1h', now)).toBe(now - 3_600_000)
  })
  it('words stay words if the time is unknown', () => {
    expect(fit(at('rfc3339'), 'yesterday')).toEqual({ ok: true, value: 'yesterday', relative: true })
    expect(fit({ kind: 'array', items: at('rfc3339') }, ['2024-01-01', 'now'])).toEqual({
      ok: true,
      value: ['2024-01-01T00:00:00Z', 'now'],
      relative: true,
    })
  })
  it('refuses days that no calendar has', () => {
    expect(value(at('iso8601_date'), '2023-02-29')).toBe('wanted date, got "2023-02-29"')
    expect(value(at('rfc3339'), 'now-999999w', 1)).toBe('wanted datetime, got "now-999999w"')
    expect(value(at('unix_sec'), '9999-12-31T23:59:59-01:00')).toBe(
      'wanted datetime, got "9999-12-31T23:59:59-01:00"',
    )
    expect(value(at('rfc3339'), 'soon')).toBe('wanted datetime, got "soon"')
  })
})

const to = (entity: string): Type => ({ kind: 'reference', entity })

describe('references', () => {
  it('an id takes the type of the key', () => {
    expect(value(to('User'), 7)).toBe('7')
    expect(value(to('Item'), '7')).toBe(7)
    expect(value(to('Item'), 'seven')).toBe('wanted int, got "seven"')
  })
  it('a row that holds the key is its identity', () => {
    expect(value(to('User'), { login: 'jane', noise: 1 })).toBe('jane')
    expect(value(to('Repository'), { owner: 'a', repo: 'b', stars: 3 })).toEqual({ owner: 'a', repo: 'b' })
  })
  it('two slots may be joined by a slash', () => {
    expect(value(to('Repository'), 'a/b')).toEqual({ owner: 'a', repo: 'b' })
    expect(value(to('Repository'), { full_name: 'a/b' })).toEqual({ owner: 'a', repo: 'b' })
    expect(value(to('Repository'), 'a')).toBe('wanted Repository, got "a"')
  })
  it('null, lists and rows without the key are none', () => {
    expect(value(to('User'), null)).toBe('wanted User, got null')
    expect(value(to('User'), ['jane'])).toBe('wanted User, got a list of 1')
    expect(value(to('User'), { name: 'Jane' })).toBe('wanted User with `login`, got {name}')
  })
})

describe('structures', () => {
  const point: Type = {
    kind: 'object',
    open: false,
    fields: [
      { name: 'x', type: { kind: 'integer' }, required: true, role: 'plain' },
      { name: 'note', type: text, required: false, role: 'plain' },
    ],
  }
  const edit: Type = {
    kind: 'union',
    variants: [
      {
        name: 'replace',
        constructorSymbol: 'v101',
        tag: { field: 'op', value: 'replace_block' },
        fields: [{ name: 'ref', type: text, required: true, role: 'plain' }],
      },
      { name: 'clear', tag: { field: 'op', value: 'clear_all' }, fields: [] },
    ],
  }

  it('a scalar becomes a list of one', () => {
    expect(value({ kind: 'array', items: text }, 'x')).toEqual(['x'])
    expect(value({ kind: 'array', items: text }, '["a","b"]')).toEqual(['a', 'b'])
    expect(value({ kind: 'multi_select', options: ['a', 'b'] }, 'b')).toEqual(['b'])
  })
  it('a wrong item is named by its place', () => {
    expect(fit({ kind: 'array', items: point }, [{ x: 1 }, { x: 'a' }])).toEqual({
      ok: false,
      expected: 'int',
      actual: '"a"',
      path: '[1].x',
    })
  })
  it('an object has its fields and no others', () => {
    expect(value(point, { x: '1', note: 5 })).toEqual({ x: 1, note: '5' })
    expect(value(point, '{"x": 1}')).toEqual({ x: 1 })
    expect(value(point, {})).toBe('wanted `x` (int), got nothing')
    expect(fit(point, { x: 1, nota: 2 })).toMatchObject({ ok: false, nearest: ['note'] })
  })
  it('a form is chosen by its tag, name or symbol', () => {
    const whole = { op: 'replace_block', ref: 'r' }
    expect(value(edit, { op: 'replace_block', ref: 'r' })).toEqual(whole)
    expect(value(edit, { replace: { ref: 'r' } })).toEqual(whole)
    expect(value(edit, { v101: { ref: 'r' } })).toEqual(whole)
    expect(value(edit, { u2: {} })).toEqual({ op: 'clear_all' })
    expect(value(edit, { v101: {} })).toBe('wanted `ref` (str), got nothing')
    expect(value(edit, { other: {} })).toBe('wanted replace | clear, got {other}')
  })
  it('json takes text that holds a structure', () => {
    expect(value({ kind: 'json' }, '{"a":[1]}')).toEqual({ a: [1] })
    expect(value({ kind: 'json' }, 'plain')).toBe('wanted json, got "plain"')
  })
  it('names like those of prototypes are names', () => {
    const open: Type = { kind: 'object', open: true, fields: [] }
    const hostile: Json = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}')
    const fitted = fit(open, hostile)
    expect(fitted.ok && JSON.stringify(fitted.value)).toBe('{"__proto__":{"x":1},"constructor":2}')
    expect(fit({ kind: 'reference', entity: 'User' }, { toString: 'x' }).ok).toBe(false)
  })
  it('refuses what nests without end', () => {
    let type: Type = text
    let deep: Json = 'x'
    for (let level = 0; level < 100; level++) {
      type = { kind: 'array', items: type }
      deep = [deep]
    }
    expect(fit(type, deep)).toMatchObject({ ok: false, expected: 'at most 64 levels' })
  })
})

it('describes types in few words', () => {
  const types: readonly Type[] = [
    text,
    { kind: 'string', semantics: 'markdown' },
    status,
    { kind: 'array', items: { kind: 'reference', entity: 'User' } },
    { kind: 'multi_select', options: ['a', 'b'] },
    { kind: 'date', format: 'iso8601_date' },
    { kind: 'object', open: true, fields: [{ name: 'x', type: text, required: false, role: 'plain' }] },
  ]
  expect(types.map(describeType)).toEqual([
    'str',
    'markdown',
    'open|closed',
    '[User]',
    '[a|b]',
    'date',
    '{x?, …}',
  ])
})

it('fitting twice changes nothing', () => {
  const leaf = fc.constantFrom<Type>(
    text,
    status,
    { kind: 'integer' },
    { kind: 'number' },
    { kind: 'boolean' },
    { kind: 'date', format: 'rfc3339' },
    { kind: 'date', format: 'unix_sec' },
    { kind: 'reference', entity: 'Repository' },
    { kind: 'json' },
  )
  const types = fc.oneof(
    leaf,
    leaf.map((items): Type => ({ kind: 'array', items })),
  )
  const given = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }).map((raw): Json => JSON.parse(JSON.stringify(raw))),
    fc.constantFrom('2024-01-31', '10', 'a/b', 'open', 'true', 'now'),
  )
  const holds = () =>
    fc.assert(
      fc.property(types, given, (type, raw) => {
        const once = fit(type, raw)
        expect(once.ok ? fit(type, once.value) : once).toEqual(once)
      }),
    )
  expect(holds).not.toThrow()
})
