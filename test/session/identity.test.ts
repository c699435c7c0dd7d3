import { describe, expect, test } from 'vitest'
import {
  addressOf,
  addressOfPicks,
  logicalSessionId,
  longRef,
  readIntent,
  readRef,
} from '../../src/session/identity.ts'

const secret = 'a secret of this deployment'

describe('addressOf', () => {
  test('is the same for the same scope and intent', () => {
    expect(addressOf(secret, ['local'], 'close stale issues')).toEqual(
      addressOf(secret, ['local'], 'close stale issues'),
    )
  })

  test('is a version 8 UUID and 22 characters', () => {
    const address = addressOf(secret, ['local'], 'x')
    expect(address).toMatch(/^[\w-]{22}$/)
    expect(logicalSessionId(address)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })

  test.each([
    [
      ['tenant', 'a', 'bc'],
      ['tenant', 'ab', 'c'],
    ],
    [
      ['tenant', ''],
      ['tenant', 'anonymous'],
    ],
    [['tenant', ''], ['tenant']],
    [
      ['principal', 'x'],
      ['tenant', 'x'],
    ],
    [
      ['tenant', 'é'],
      ['tenant', 'e\u0301'],
    ],
  ])('keeps scopes %j and %j apart', (a, b) => {
    expect(addressOf(secret, a, 'x')).not.toBe(addressOf(secret, b, 'x'))
  })

  test('keeps scope and intent apart', () => {
    expect(addressOf(secret, ['t', 'a'], 'b')).not.toBe(addressOf(secret, ['t'], 'a'))
  })

  test('depends on the secret', () => {
    expect(addressOf('another', ['local'], 'x')).not.toBe(addressOf(secret, ['local'], 'x'))
  })
})

describe('readIntent', () => {
  test.each([
    ['  close it \n', 'close it'],
    ['\u00A0\u3000goal\u0085', 'goal'],
    ['\u200Bgoal', '\u200Bgoal'],
    ['Goal', 'Goal'],
  ])('reads %j as %j', (raw, intent) => expect(readIntent(raw)).toEqual({ intent }))

  test.each([
    ['', { wrong: 'empty', bytes: 0 }],
    [' \t ', { wrong: 'empty', bytes: 0 }],
    ['\uD800', { wrong: 'ill_formed', bytes: 0 }],
    ['é'.repeat(2049), { wrong: 'too_long', bytes: 4098 }],
  ])('refuses %j', (raw, wrong) => expect(readIntent(raw)).toEqual(wrong))

  test('takes 4096 bytes', () => expect(readIntent('é'.repeat(2048))).toEqual({ intent: 'é'.repeat(2048) }))
})

describe('readRef', () => {
  const address = addressOf(secret, ['local'], 'x')
  test.each([
    ['s0', { ordinal: 0 }],
    [' s12 ', { ordinal: 12 }],
    [longRef(address), { address }],
  ])('reads %j', (text, ref) => expect(readRef(text)).toEqual(ref))

  test.each(['', 's', 's01', 'S1', 's1x', 'l_short', 's9999999999999999', '__proto__'])(
    'refuses %j',
    (text) => {
      expect(readRef(text)).toBeUndefined()
    },
  )
})

describe('addressOfPicks', () => {
  const pick = { catalog: 'a', digest: 'd', entities: ['X', 'Y'] }
  const key = { teachingVersion: 'teaching-1', delegated: null, picks: [pick] }

  test.each([
    ['teaching version', { teachingVersion: 'teaching-9' }],
    ['principal', { delegated: 'ann' }],
    ['digest', { picks: [{ ...pick, digest: 'e' }] }],
    ['catalog', { picks: [{ ...pick, catalog: 'b' }] }],
    ['entity', { picks: [{ ...pick, entities: ['X'] }] }],
    ['division', { picks: [{ ...pick, entities: ['X,Y'] }] }],
    ['catalogs', { picks: [pick, { ...pick, catalog: 'b' }] }],
  ])('keeps another %s apart', (_, change) => {
    const address = addressOfPicks(secret, ['local'], key)
    expect(addressOfPicks(secret, ['local'], { ...key })).toBe(address)
    expect(addressOfPicks(secret, ['local'], { ...key, ...change })).not.toBe(address)
    expect(addressOfPicks(secret, ['other'], key)).not.toBe(address)
  })
})
