import { expect, test } from 'vitest'
import { lowestTrust, readTrust } from '../../src/access/trust.ts'

test.each([
  ['direct', 'direct'],
  [' Direct\n', 'direct'],
  ['SANDBOXED', 'sandboxed'],
  ['\tsandboxed ', 'sandboxed'],
])('P6: trust %j is normalised to %s', (text, level) => {
  expect(readTrust(text)).toEqual({ ok: true, value: level })
})

test.each([
  '',
  ' ',
  'trusted',
  'full',
  'vault',
  'direct sandboxed',
  'dırect',
  'null',
  'undefined',
  '__proto__',
])('P6: unknown trust %j fails closed', (text) => {
  expect(readTrust(text)).toMatchObject({ ok: false, problems: [{ code: 'unknown_trust' }] })
})

test('the lowest of several levels counts', () => {
  expect(lowestTrust(['direct', 'direct'])).toBe('direct')
  expect(lowestTrust(['direct', 'sandboxed', 'direct'])).toBe('sandboxed')
})
