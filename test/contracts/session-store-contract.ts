import { describe, expect, test } from 'vitest'
import type { SessionRecord } from '../../src/session/record.ts'
import type { Opened } from './store-contract.ts'
import { address, ALICE, BOB, catalog, extended, HOUR, MONTH, opened as record } from './store-fixtures.ts'

const A = address('A')

export function sessionContract(given: () => Opened): void {
  describe('find and commit', () => {
    test('an unknown address is a miss', async () => {
      const { store, clock } = given()
      expect(await store.findByAddress(ALICE, A)).toEqual({
        record: null,
        ordinal: null,
        delivered: 0,
        now: clock.now(),
      })
      expect(await store.findByRef(ALICE, { ordinal: 0 })).toEqual({
        record: null,
        ordinal: null,
        delivered: 0,
        now: clock.now(),
      })
      expect(await store.findByRef(ALICE, { address: A })).toEqual({
        record: null,
        ordinal: null,
        delivered: 0,
        now: clock.now(),
      })
    })

    test('a committed record is found by every name', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      expect(await store.commit(ALICE, null, first)).toEqual({ committed: true, ordinal: 0 })
      const found = { record: first, ordinal: 0, delivered: 0, now: clock.now() }
      expect(await store.findByAddress(ALICE, A)).toEqual(found)
      expect(await store.findByRef(ALICE, { ordinal: 0 })).toEqual(found)
      expect(await store.findByRef(ALICE, { address: A })).toEqual(found)
    })

    test('a principal without a name sees addresses only', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      await store.commit(ALICE, null, first)
      const miss = { record: null, ordinal: null, delivered: 0, now: clock.now() }
      expect(await store.findByAddress(BOB, A)).toEqual({
        record: first,
        ordinal: null,
        delivered: 0,
        now: clock.now(),
      })
      expect(await store.findByRef(BOB, { ordinal: 0 })).toEqual(miss)
      expect(await store.findByRef(BOB, { address: A })).toEqual(miss)
    })

    test('an extension replaces the record, keeps the name', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      const second = extended(first, 'second')
      await store.commit(ALICE, null, first)
      expect(await store.commit(ALICE, first, second)).toEqual({ committed: true, ordinal: 0 })
      expect((await store.findByAddress(ALICE, A)).record).toEqual(second)
    })

    test('a commit over another returns the current record', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      const second = extended(first, 'second')
      await store.commit(ALICE, null, first)
      await store.commit(ALICE, first, second)
      const current = { committed: false, current: second, now: clock.now() }
      expect(await store.commit(ALICE, first, extended(first, 'third'))).toEqual(current)
      expect(await store.commit(BOB, null, record(A, clock.now(), { commit: 'other' }))).toEqual(current)
      expect((await store.findByAddress(BOB, A)).ordinal).toBeNull()
    })

    test('a commit over nothing where something was expected', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      const answer = await store.commit(ALICE, first, extended(first, 'second'))
      expect(answer).toEqual({ committed: false, current: null, now: clock.now() })
    })

    test('a commit that was applied already succeeds', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      const second = extended(first, 'second')
      for (let time = 0; time < 2; time++)
        expect(await store.commit(ALICE, null, first)).toEqual({ committed: true, ordinal: 0 })
      for (let time = 0; time < 2; time++)
        expect(await store.commit(ALICE, first, second)).toEqual({ committed: true, ordinal: 0 })
      expect((await store.findByAddress(ALICE, A)).record).toEqual(second)
    })

    test('moving a record to another address is refused', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      await expect(store.commit(ALICE, first, record(address('B'), clock.now()))).rejects.toThrow(
        'another address',
      )
    })

    test('text of every kind survives', async () => {
      const { store, clock } = given()
      const intent = `tab\t nul\u0000 quote" backslash\\ ünïcode 😀 \u2028 ${'x'.repeat(1_000_000)}`
      const first = record(A, clock.now(), { intent, scope: ['', '__proto__', '\u0000'] })
      await store.commit(ALICE, null, first)
      expect((await store.findByAddress(ALICE, A)).record).toEqual(first)
    })

    test('what is found cannot change what is stored', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      await store.commit(ALICE, null, first)
      const found = (await store.findByAddress(ALICE, A)).record
      Reflect.set(found ?? {}, 'revision', 99)
      Reflect.set(found?.waves[0] ?? {}, 'revision', 99)
      expect((await store.findByAddress(ALICE, A)).record).toEqual(first)
    })
  })

  describe('races', () => {
    test('of 32 opens at one address one wins', async () => {
      const { store, clock } = given()
      const rivals = Array.from({ length: 32 }, (_, index) =>
        record(A, clock.now(), { commit: `rival ${index}` }),
      )
      const answers = await Promise.all(rivals.map((rival) => store.commit(ALICE, null, rival)))
      const winner = rivals[answers.findIndex((answer) => answer.committed)]
      expect(answers.filter((answer) => answer.committed)).toEqual([{ committed: true, ordinal: 0 }])
      expect(answers.filter((answer) => !answer.committed)).toEqual(
        Array.from({ length: 31 }, () => ({ committed: false, current: winner, now: clock.now() })),
      )
    })

    test('of 32 extensions of one record one wins', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      await store.commit(ALICE, null, first)
      const rivals = Array.from({ length: 32 }, (_, index) =>
        extended(first, `rival ${index}`, `Entity${index}`),
      )
      const answers = await Promise.all(rivals.map((rival) => store.commit(ALICE, first, rival)))
      const won = answers.flatMap((answer, index) => (answer.committed ? [index] : []))
      expect(won).toHaveLength(1)
      expect((await store.findByAddress(ALICE, A)).record).toEqual(rivals[won[0] ?? 0])
    })

    test('losers that try again all get in', async () => {
      const { store, clock } = given()
      await store.commit(ALICE, null, record(A, clock.now()))
      await Promise.all(
        Array.from({ length: 16 }, async (_, index) => {
          let current = (await store.findByAddress(ALICE, A)).record
          for (;;) {
            if (!current) throw new Error('the record is gone')
            const answer = await store.commit(
              ALICE,
              current,
              extended(current, `by ${index}`, `Entity${index}`),
            )
            if (answer.committed) return
            current = answer.current
          }
        }),
      )
      const final = (await store.findByAddress(ALICE, A)).record
      expect(final?.revision).toBe(17)
      const entities = final?.waves
        .slice(1)
        .map((wave) => wave.picks[0]?.entities[0])
        .toSorted()
      expect(entities).toEqual(Array.from({ length: 16 }, (_, index) => `Entity${index}`).toSorted())
    })

    test('a hundred principals open side by side', async () => {
      const { store, clock } = given()
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          store.commit(`["user","${index}"]`, null, record(address(`P${index}`), clock.now())),
        ),
      )
      expect(answers).toEqual(Array.from({ length: 100 }, () => ({ committed: true, ordinal: 0 })))
    })

    test('a hundred opens of one principal get a hundred names', async () => {
      const { store, clock } = given()
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          store.commit(ALICE, null, record(address(`P${index}`), clock.now())),
        ),
      )
      const ordinals = answers
        .map((answer) => (answer.committed ? answer.ordinal : -1))
        .toSorted((a, b) => a - b)
      expect(ordinals).toEqual(Array.from({ length: 100 }, (_, index) => index))
      for (const [index, answer] of answers.entries()) {
        const found = await store.findByRef(ALICE, { ordinal: answer.committed ? answer.ordinal : -1 })
        expect(found.record?.address).toBe(address(`P${index}`))
      }
    })
  })

  describe('names', () => {
    test('one session has a name for each principal', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      const second = extended(first, 'second')
      await store.commit(BOB, null, record(address('Z'), clock.now()))
      await store.commit(ALICE, null, first)
      expect(await store.commit(BOB, first, second)).toEqual({ committed: true, ordinal: 1 })
      expect((await store.findByRef(ALICE, { ordinal: 0 })).record).toEqual(second)
      expect((await store.findByRef(BOB, { ordinal: 1 })).record).toEqual(second)
      expect((await store.findByRef(BOB, { ordinal: 0 })).record?.address).toBe(address('Z'))
    })

    test('principals of odd spelling do not meet', async () => {
      const { store, clock } = given()
      const principals = [
        '',
        '__proto__',
        'constructor',
        'a',
        'a\u0000',
        'a\u0000b',
        '\ud800',
        '\ud801',
        '"a"',
        'ä',
        'a\u0308',
      ]
      for (const [index, principal] of principals.entries()) {
        expect(await store.commit(principal, null, record(address(`P${index}`), clock.now()))).toEqual({
          committed: true,
          ordinal: 0,
        })
      }
      for (const [index, principal] of principals.entries()) {
        expect((await store.findByRef(principal, { ordinal: 0 })).record?.address).toBe(address(`P${index}`))
      }
    })

    test('the list is newest first, cut at its limit', async () => {
      const { store, clock } = given()
      for (const label of ['A', 'B', 'C'])
        await store.commit(ALICE, null, record(address(label), clock.now()))
      await store.commit(BOB, null, record(address('D'), clock.now()))
      const listed = await store.list(ALICE, 2)
      expect(listed.map((item) => [item.ordinal, item.record.address])).toEqual([
        [2, address('C')],
        [1, address('B')],
      ])
      expect(await store.list('["user","carol"]', 10)).toEqual([])
    })

    test('a closed name is a miss and never returns', async () => {
      const { store, clock } = given()
      await store.commit(ALICE, null, record(A, clock.now()))
      expect(await store.close(ALICE, A)).toBe(true)
      expect(await store.close(ALICE, A)).toBe(false)
      expect((await store.findByRef(ALICE, { ordinal: 0 })).record).toBeNull()
      expect((await store.findByAddress(ALICE, A)).record).toBeNull()
      expect(await store.list(ALICE, 10)).toEqual([])
      expect(await store.commit(ALICE, null, record(A, clock.now(), { commit: 'again' }))).toEqual({
        committed: true,
        ordinal: 1,
      })
      expect((await store.findByRef(ALICE, { ordinal: 0 })).record).toBeNull()
    })

    test('the record outlives all names but its last', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      const second = extended(first, 'second')
      await store.commit(ALICE, null, first)
      await store.commit(BOB, first, second)
      expect(await store.close('["user","carol"]', A)).toBe(false)
      expect(await store.close(ALICE, A)).toBe(true)
      expect(await store.findByAddress(ALICE, A)).toEqual({
        record: second,
        ordinal: null,
        delivered: 0,
        now: clock.now(),
      })
      expect((await store.findByRef(BOB, { ordinal: 0 })).record).toEqual(second)
      expect(await store.close(BOB, A)).toBe(true)
      expect((await store.findByAddress(BOB, A)).record).toBeNull()
    })
  })

  describe('what a principal received', () => {
    test('grows, for that principal alone', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      await store.commit(ALICE, null, first)
      await store.commit(BOB, first, extended(first, 'second'))
      await store.markDelivered(ALICE, A, 3)
      await store.markDelivered(ALICE, A, 2)
      expect((await store.findByAddress(ALICE, A)).delivered).toBe(3)
      expect((await store.findByRef(ALICE, { ordinal: 0 })).delivered).toBe(3)
      expect((await store.findByAddress(BOB, A)).delivered).toBe(0)
    })

    test('ends with the name', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      await store.markDelivered(ALICE, A, 1)
      await store.commit(ALICE, null, first)
      expect((await store.findByAddress(ALICE, A)).delivered).toBe(0)
      await store.markDelivered(ALICE, A, 1)
      await store.close(ALICE, A)
      await store.commit(ALICE, null, first)
      expect((await store.findByAddress(ALICE, A)).delivered).toBe(0)
    })
  })

  describe('expiry', () => {
    test('a record is there until its last millisecond', async () => {
      const { store, clock } = given()
      await store.commit(ALICE, null, record(A, clock.now()))
      clock.advance(MONTH - 1)
      expect((await store.findByAddress(ALICE, A)).record?.address).toBe(A)
      clock.advance(1)
      const miss = { record: null, ordinal: null, delivered: 0, now: clock.now() }
      expect(await store.findByAddress(ALICE, A)).toEqual(miss)
      expect(await store.findByRef(ALICE, { ordinal: 0 })).toEqual(miss)
      expect(await store.findByRef(ALICE, { address: A })).toEqual(miss)
      expect(await store.list(ALICE, 10)).toEqual([])
      expect(await store.close(ALICE, A)).toBe(false)
    })

    test('an expired row is still found', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      await store.commit(ALICE, null, first)
      clock.advance(2 * HOUR)
      expect(await store.findByAddress(ALICE, A)).toEqual({
        record: first,
        ordinal: 0,
        delivered: 0,
        now: clock.now(),
      })
    })

    test('an expired address opens anew under new names', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      await store.commit(ALICE, null, first)
      clock.advance(MONTH)
      expect(await store.commit(ALICE, first, extended(first, 'late'))).toEqual({
        committed: false,
        current: null,
        now: clock.now(),
      })
      const anew = record(A, clock.now(), { commit: 'anew' })
      expect(await store.commit(ALICE, null, anew)).toEqual({ committed: true, ordinal: 1 })
      expect((await store.findByRef(ALICE, { ordinal: 0 })).record).toBeNull()
      expect((await store.findByRef(ALICE, { ordinal: 1 })).record).toEqual(anew)
    })

    test('many writes later the expired are still gone', async () => {
      const { store, clock } = given()
      const survivor = record(address('survivor'), clock.now(), { expiresAt: clock.now() + 3 * MONTH })
      await store.commit(ALICE, null, survivor)
      await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          store.commit(ALICE, null, record(address(`P${index}`), clock.now())),
        ),
      )
      clock.advance(MONTH)
      for (let round = 0; round < 4; round++) {
        await Promise.all(
          Array.from({ length: 100 }, (_, index) =>
            store.commit(BOB, null, record(address(`Q${round}-${index}`), clock.now())),
          ),
        )
      }
      expect(await store.list(ALICE, 1000)).toEqual([{ ordinal: 0, record: survivor, now: clock.now() }])
      expect(await store.list(BOB, 1000)).toHaveLength(400)
    })
  })

  describe('the session limit of a principal', () => {
    test('one more is refused and leaves nothing', async () => {
      const { store, clock } = given()
      const records = ['A', 'B', 'C'].map((name) => record(address(name), clock.now()))
      const [first, second, third] = records
      if (!first || !second || !third) throw new Error('three records')
      expect(await store.commit(ALICE, null, first, 2)).toEqual({ committed: true, ordinal: 0 })
      expect(await store.commit(ALICE, null, second, 2)).toEqual({ committed: true, ordinal: 1 })
      const full = { committed: false, current: null, now: clock.now(), full: true }
      expect(await store.commit(ALICE, null, third, 2)).toEqual(full)
      expect((await store.findByAddress(ALICE, third.address)).record).toBeNull()
      expect(await store.list(ALICE, 9)).toHaveLength(2)
      // Those that are there go on, and others are others.
      const extension = extended(first, 'second')
      expect(await store.commit(ALICE, first, extension, 2)).toEqual({ committed: true, ordinal: 0 })
      expect(await store.commit(BOB, null, third, 2)).toEqual({ committed: true, ordinal: 0 })
    })

    test('who joins needs a place as well', async () => {
      const { store, clock } = given()
      const shared = record(A, clock.now())
      await store.commit(ALICE, null, shared)
      await store.commit(BOB, null, record(address('B'), clock.now()))
      const joined = { ...shared, commit: 'joined' }
      expect(await store.commit(BOB, shared, joined, 1)).toEqual({
        committed: false,
        current: shared,
        now: clock.now(),
        full: true,
      })
      expect((await store.findByAddress(BOB, A)).ordinal).toBeNull()
    })

    test('what was closed or expired makes room', async () => {
      const { store, clock } = given()
      const open = (name: string) => store.commit(ALICE, null, record(address(name), clock.now()), 2)
      await open('A')
      await open('B')
      expect(await store.close(ALICE, address('A'))).toBe(true)
      expect(await open('C')).toEqual({ committed: true, ordinal: 2 })
      expect(await open('D')).toMatchObject({ committed: false, full: true })
      clock.advance(MONTH)
      expect(await open('D')).toEqual({ committed: true, ordinal: 3 })
      expect(await open('B')).toEqual({ committed: true, ordinal: 4 })
      expect(await open('E')).toMatchObject({ committed: false, full: true })
    })

    test('at once at most the limit is opened', async () => {
      const { store, clock } = given()
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, index) =>
          store.commit(ALICE, null, record(address(`at once ${index}`), clock.now()), 4),
        ),
      )
      expect(answers.filter(({ committed }) => committed)).toHaveLength(4)
      expect(await store.list(ALICE, 99)).toHaveLength(4)
    })
  })

  describe('touch', () => {
    test('moves both expiries forward, nothing else', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      await store.commit(ALICE, null, first)
      const row = first.row.expiresAt + 5
      const whole = first.expiresAt + 7
      await store.touch(A, 1, row, whole)
      const found = (await store.findByAddress(ALICE, A)).record
      expect(found).toEqual({ ...first, row: { ...first.row, expiresAt: row }, expiresAt: whole })
    })

    test('never moves an expiry back', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      await store.commit(ALICE, null, first)
      await store.touch(A, 1, first.row.expiresAt - 1, first.expiresAt - 1)
      expect((await store.findByAddress(ALICE, A)).record).toEqual(first)
    })

    test('leaves another generation alone', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      await store.commit(ALICE, null, first)
      await store.touch(A, 2, first.row.expiresAt + 1, first.expiresAt + 1)
      await store.touch(address('B'), 1, first.row.expiresAt + 1, first.expiresAt + 1)
      expect((await store.findByAddress(ALICE, A)).record).toEqual(first)
    })

    test('does not wake an expired row', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      await store.commit(ALICE, null, first)
      clock.advance(HOUR)
      await store.touch(A, 1, clock.now() + HOUR, clock.now() + MONTH)
      expect((await store.findByAddress(ALICE, A)).record).toEqual(first)
    })

    test('does not get in the way of a commit', async () => {
      const { store, clock } = given()
      const first = record(A, clock.now())
      await store.commit(ALICE, null, first)
      await store.touch(A, 1, first.row.expiresAt + 1, first.expiresAt + 1)
      const second = extended(first, 'second')
      expect(await store.commit(ALICE, first, second)).toEqual({ committed: true, ordinal: 0 })
      expect(expiries((await store.findByAddress(ALICE, A)).record)).toEqual(expiries(second))
    })
  })

  describe('models', () => {
    test('a model is kept under its digest', async () => {
      const { store } = given()
      await store.keepModel('d1', catalog('github'))
      await store.keepModel('d1', catalog('github'))
      expect(await store.model('d1')).toEqual(catalog('github'))
      expect(await store.model('d2')).toBeNull()
      expect(await store.model('__proto__')).toBeNull()
    })
  })
}

function expiries(found: SessionRecord | null) {
  return [found?.row.expiresAt, found?.expiresAt]
}
