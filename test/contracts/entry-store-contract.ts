import { describe, expect, test } from 'vitest'
import type { EntryKind, Owner } from '../../src/engine/entry-store.ts'
import type { Opened } from './store-contract.ts'
import { address, ALICE, BOB } from './store-fixtures.ts'

const OWNER: Owner = { address: address('A'), principal: ALICE }
const LIFE = 600_000

export function entryContract(given: () => Opened): void {
  describe('entries', () => {
    test('appended entries are read by their number', async () => {
      const { store, clock } = given()
      expect(await store.append({ owner: OWNER, kind: 'page', body: '{"cursor":"abc"}', lifeMs: LIFE })).toBe(
        1,
      )
      expect(await store.append({ owner: OWNER, kind: 'page', body: 'null', lifeMs: LIFE })).toBe(2)
      const expiresAt = clock.now() + LIFE
      expect(await store.read(OWNER, 'page', '1')).toEqual({
        name: '1',
        version: 1,
        body: '{"cursor":"abc"}',
        expiresAt,
      })
      expect(await store.read(OWNER, 'page', '2')).toEqual({ name: '2', version: 1, body: 'null', expiresAt })
      expect(await store.read(OWNER, 'page', '3')).toBeNull()
    })

    test('each kind and owner counts for itself', async () => {
      const { store } = given()
      const owners: Owner[] = [
        OWNER,
        { ...OWNER, principal: BOB },
        { address: 'a', principal: 'bc' },
        { address: 'ab', principal: 'c' },
        { address: 'a', principal: '' },
        { address: 'a', principal: '__proto__' },
        { address: 'a', principal: 'constructor' },
      ]
      const kinds: EntryKind[] = ['plan', 'page', 'snapshot', 'effect', 'lease', 'alias']
      for (const [index, owner] of owners.entries()) {
        for (const kind of kinds)
          expect(await store.append({ owner, kind, body: `[${index}]`, lifeMs: LIFE })).toBe(1)
      }
      for (const [index, owner] of owners.entries()) {
        for (const kind of kinds) {
          expect((await store.entries(owner, kind, 10)).map((entry) => entry.body)).toEqual([`[${index}]`])
        }
      }
    })

    test('a hundred appended at once get a hundred numbers', async () => {
      const { store } = given()
      const numbers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          store.append({ owner: OWNER, kind: 'plan', body: String(index), lifeMs: LIFE }),
        ),
      )
      expect(numbers.toSorted((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: 100 }, (_, index) => index + 1),
      )
      for (const [index, number] of numbers.entries()) {
        expect((await store.read(OWNER, 'plan', String(number)))?.body).toBe(String(index))
      }
    })

    test('numbers are not used again after expiry', async () => {
      const { store, clock } = given()
      await store.append({ owner: OWNER, kind: 'plan', body: '1', lifeMs: LIFE })
      clock.advance(LIFE)
      for (let time = 2; time < 200; time++)
        expect(await store.append({ owner: OWNER, kind: 'plan', body: '0', lifeMs: LIFE })).toBe(time)
    })

    test('a number that was claimed as a name is skipped', async () => {
      const { store } = given()
      expect(
        await store.claim({ owner: OWNER, kind: 'plan', name: '1', body: 'claimed', lifeMs: LIFE }),
      ).toBe(true)
      expect(await store.append({ owner: OWNER, kind: 'plan', body: 'appended', lifeMs: LIFE })).toBe(2)
      expect((await store.read(OWNER, 'plan', '1'))?.body).toBe('claimed')
    })

    test('of 32 claims of one name one wins', async () => {
      const { store } = given()
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, index) =>
          store.claim({
            owner: OWNER,
            kind: 'effect',
            name: 'plan-1:node:0',
            body: String(index),
            lifeMs: LIFE,
          }),
        ),
      )
      expect(answers.filter(Boolean)).toHaveLength(1)
      expect((await store.read(OWNER, 'effect', 'plan-1:node:0'))?.body).toBe(String(answers.indexOf(true)))
    })

    test('names of odd spelling do not meet', async () => {
      const { store } = given()
      const names = [
        '',
        '__proto__',
        'constructor',
        'a',
        'a\u0000',
        'a\u0000b',
        '\ud800',
        '\ud801',
        'ä',
        'a\u0308',
        ' a',
        '%',
        '😀',
        "'",
        '"',
      ]
      for (const name of names)
        expect(await store.claim({ owner: OWNER, kind: 'effect', name, body: '1', lifeMs: LIFE })).toBe(true)
      for (const name of names)
        expect(await store.claim({ owner: OWNER, kind: 'effect', name, body: '2', lifeMs: LIFE })).toBe(false)
      for (const name of names) expect((await store.read(OWNER, 'effect', name))?.name).toBe(name)
      expect((await store.entries(OWNER, 'effect', 100)).map((entry) => entry.name)).toEqual(names)
    })

    test('a replacement needs the version it replaces', async () => {
      const { store, clock } = given()
      const replace = (name: string, version: number, body: string, lifeMs = LIFE) =>
        store.replace({ owner: OWNER, kind: 'plan', name, version, body, lifeMs })
      await store.claim({ owner: OWNER, kind: 'plan', name: 'p', body: 'made', lifeMs: LIFE })
      clock.advance(10)
      expect(await replace('p', 2, 'wrong')).toBe(false)
      expect(await replace('p', 1, 'spent', 2 * LIFE)).toBe(true)
      expect(await replace('p', 1, 'wrong')).toBe(false)
      expect(await replace('q', 1, 'wrong')).toBe(false)
      expect(
        await store.replace({
          owner: { ...OWNER, principal: BOB },
          kind: 'plan',
          name: 'p',
          version: 2,
          body: 'wrong',
          lifeMs: LIFE,
        }),
      ).toBe(false)
      const expiresAt = clock.now() + 2 * LIFE
      expect(await store.read(OWNER, 'plan', 'p')).toEqual({
        name: 'p',
        version: 2,
        body: 'spent',
        expiresAt,
      })
    })

    test('of 32 replacements of one version one wins', async () => {
      const { store } = given()
      await store.claim({ owner: OWNER, kind: 'plan', name: 'p', body: 'made', lifeMs: LIFE })
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, index) =>
          store.replace({
            owner: OWNER,
            kind: 'plan',
            name: 'p',
            version: 1,
            body: String(index),
            lifeMs: LIFE,
          }),
        ),
      )
      expect(answers.filter(Boolean)).toHaveLength(1)
      expect((await store.read(OWNER, 'plan', 'p'))?.body).toBe(String(answers.indexOf(true)))
    })

    test('an expired entry is a miss, its name free', async () => {
      const { store, clock } = given()
      await store.claim({ owner: OWNER, kind: 'effect', name: 'e', body: 'old', lifeMs: LIFE })
      clock.advance(LIFE - 1)
      expect((await store.read(OWNER, 'effect', 'e'))?.body).toBe('old')
      clock.advance(1)
      expect(await store.read(OWNER, 'effect', 'e')).toBeNull()
      expect(
        await store.replace({
          owner: OWNER,
          kind: 'effect',
          name: 'e',
          version: 1,
          body: 'late',
          lifeMs: LIFE,
        }),
      ).toBe(false)
      expect(await store.entries(OWNER, 'effect', 10)).toEqual([])
      expect(await store.claim({ owner: OWNER, kind: 'effect', name: 'e', body: 'new', lifeMs: LIFE })).toBe(
        true,
      )
      expect((await store.read(OWNER, 'effect', 'e'))?.version).toBe(1)
    })

    test('of an owner and kind at most the limit is kept', async () => {
      const { store, clock } = given()
      const append = (owner: Owner, kind: EntryKind = 'plan') =>
        store.append({ owner, kind, body: 'x', lifeMs: LIFE, most: 3 })
      expect([await append(OWNER), await append(OWNER), await append(OWNER), await append(OWNER)]).toEqual([
        1,
        2,
        3,
        null,
      ])
      expect(await append(OWNER, 'page')).toBe(1)
      expect(await append({ ...OWNER, principal: BOB })).toBe(1)
      expect(
        await store.replace({
          owner: OWNER,
          kind: 'plan',
          name: '1',
          version: 1,
          body: 'spent',
          lifeMs: 2 * LIFE,
        }),
      ).toBe(true)
      clock.advance(LIFE)
      // Two have expired: their numbers stay used.
      expect([await append(OWNER), await append(OWNER), await append(OWNER)]).toEqual([4, 5, null])
      expect((await store.entries(OWNER, 'plan', 9)).map(({ name }) => name)).toEqual(['1', '4', '5'])
    })

    test('claims beyond the limit are refused', async () => {
      const { store, clock } = given()
      const claim = (name: string) =>
        store.claim({ owner: OWNER, kind: 'effect', name, body: name, lifeMs: LIFE, most: 2 })
      expect([await claim('a'), await claim('b'), await claim('c'), await claim('a')]).toEqual([
        true,
        true,
        false,
        false,
      ])
      expect(await store.read(OWNER, 'effect', 'c')).toBeNull()
      clock.advance(LIFE)
      expect([await claim('c'), await claim('d'), await claim('e')]).toEqual([true, true, false])
    })

    test('at once at most the limit is kept', async () => {
      const { store } = given()
      const numbers = await Promise.all(
        Array.from({ length: 32 }, () =>
          store.append({ owner: OWNER, kind: 'snapshot', body: 'x', lifeMs: LIFE, most: 5 }),
        ),
      )
      expect(numbers.filter((number) => number !== null)).toHaveLength(5)
      expect(await store.entries(OWNER, 'snapshot', 99)).toHaveLength(5)
    })

    test('the bytes of a principal are counted over all owners', async () => {
      const { store, clock } = given()
      const hour = 3_600_000
      const text = 'é'.repeat(500)
      const body = `"${text}"`
      const other = { ...OWNER, address: address('B') }
      expect(await store.holdsBytes(ALICE, 1)).toBe(false)
      await store.append({ owner: OWNER, kind: 'page', body, lifeMs: hour })
      await store.claim({ owner: other, kind: 'effect', name: 'e', body, lifeMs: 3 * hour })
      await store.append({ owner: { ...OWNER, principal: BOB }, kind: 'page', body, lifeMs: hour })
      expect(await store.holdsBytes(ALICE, 2 * 1002)).toBe(true)
      expect(await store.holdsBytes(ALICE, 2 * 1002 + 1)).toBe(false)
      expect(
        await store.replace({
          owner: other,
          kind: 'effect',
          name: 'e',
          version: 1,
          body: `"${text}${text}"`,
          lifeMs: 3 * hour,
        }),
      ).toBe(true)
      expect(await store.holdsBytes(ALICE, 3 * 1002 - 2)).toBe(true)
      // What was refused is not counted.
      await store.claim({ owner: other, kind: 'effect', name: 'e', body, lifeMs: hour })
      await store.append({ owner: OWNER, kind: 'page', body, lifeMs: hour, most: 1 })
      await store.replace({ owner: other, kind: 'effect', name: 'e', version: 9, body, lifeMs: hour })
      expect(await store.holdsBytes(ALICE, 5 * 1002)).toBe(false)
      clock.advance(2 * hour)
      expect(await store.holdsBytes(ALICE, 2002)).toBe(true)
      clock.advance(2 * hour)
      expect(await store.holdsBytes(ALICE, 1)).toBe(false)
      expect(await store.holdsBytes(BOB, 1)).toBe(false)
    })

    test('the list is oldest first, cut at its limit', async () => {
      const { store } = given()
      for (const name of ['c', 'a', 'b'])
        await store.claim({ owner: OWNER, kind: 'snapshot', name, body: name, lifeMs: LIFE })
      await store.replace({
        owner: OWNER,
        kind: 'snapshot',
        name: 'c',
        version: 1,
        body: 'changed',
        lifeMs: LIFE,
      })
      expect((await store.entries(OWNER, 'snapshot', 2)).map((entry) => entry.name)).toEqual(['c', 'a'])
      expect((await store.entries(OWNER, 'snapshot', 9)).map((entry) => entry.body)).toEqual([
        'changed',
        'a',
        'b',
      ])
    })

    test('bodies of every kind survive', async () => {
      const { store } = given()
      const bodies = [
        '""',
        '"nul\\u0000"',
        '"\u2028 ünïcode 😀"',
        '0',
        '{"__proto__": {"own": true}}',
        `"${'x'.repeat(3_000_000)}"`,
      ]
      for (const [index, body] of bodies.entries()) {
        await store.claim({ owner: OWNER, kind: 'snapshot', name: String(index), body, lifeMs: LIFE })
        expect((await store.read(OWNER, 'snapshot', String(index)))?.body).toBe(body)
      }
    })
  })
}
