import { expect, test } from 'vitest'
import { withUnixTimes } from '../../../src/catalog/readers/unix-times.ts'
import type { Type } from '../../../src/catalog/model.ts'
import { capability, desk, entity, field, parameter } from '../../language/desk-catalog.ts'

/** The type of a field that the API documents like this. */
function typeOf(type: Type, description: string, key = 'id'): Type | undefined {
  const fields = [field('id'), { ...field('at', type), description }]
  const catalog = withUnixTimes({
    ...desk,
    entities: [entity('Note', fields, { key: [key] })],
    capabilities: [],
  })
  return catalog.entities[0]?.fields[1]?.type
}

const text: Type = { kind: 'string', semantics: 'short' }

test.each<[string, Type, Type]>([
  ['Unix time when it is sent (seconds)', { kind: 'integer' }, { kind: 'date', format: 'unix_sec' }],
  ['Start of time range (Unix timestamp)', { kind: 'number' }, { kind: 'date', format: 'unix_sec' }],
  ['Due after this Unix time in milliseconds.', { kind: 'integer' }, { kind: 'date', format: 'unix_ms' }],
  ['Epoch milliseconds as string', text, { kind: 'date', format: 'unix_ms', text: true }],
  ['Seconds since the Unix epoch', { kind: 'integer' }, { kind: 'date', format: 'unix_sec' }],
])('%s is a date', (description, type, expected) => {
  expect(typeOf(type, description)).toEqual(expected)
})

test.each<[string, Type]>([
  ['Time estimate in milliseconds', { kind: 'integer' }],
  ['Unix timestamp in microseconds', { kind: 'integer' }],
  ['A Unix timestamp, or natural language like in 10 minutes', text],
  ['Name of the Unix user', text],
  ['Number of epochs', { kind: 'integer' }],
])('%s is none', (description, type) => {
  expect(typeOf(type, description)).toEqual(type)
})

test('a key stays as it is', () => {
  expect(typeOf(text, 'Unix timestamp of the message', 'at')).toEqual(text)
})

test('members of inputs and arguments are dates as well', () => {
  const member = { ...parameter('until', { kind: 'integer' }), description: 'Unix time' }
  const input: Type = { kind: 'object', open: false, fields: [member] }
  const snooze = capability('ticket_snooze', 'Ticket', 'action', { parameters: [parameter('input', input)] })
  const catalog = withUnixTimes({ ...desk, capabilities: [snooze] })
  expect(catalog.capabilities[0]?.parameters[0]?.type).toEqual({
    ...input,
    fields: [{ ...member, type: { kind: 'date', format: 'unix_sec' } }],
  })
})
