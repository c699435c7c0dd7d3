import { describe, expect, test } from 'vitest'
import type { Addition } from '../../src/engine/conversation/store.ts'
import type { Opened } from './store-contract.ts'
import { ALICE, BOB } from './store-fixtures.ts'

const LIFE = 600_000
const HOLD = 5000
const LIMITS = { lifeMs: LIFE, most: 100 }

function adding(lines: readonly string[], more: Partial<Addition> = {}): Addition {
  return { lines, holdMs: HOLD, lifeMs: LIFE, ...more }
}

export function transcriptContract(given: () => Opened): void {
  describe('transcripts', () => {
    test('a transcript is found as it was begun, by its principal alone', async () => {
      const { store, clock } = given()
      const { transcripts } = store
      expect(await transcripts.find(ALICE, 't')).toBeNull()
      expect(await transcripts.begin(ALICE, 't', '{"cwd":"/ü"}', LIMITS)).toBe('begun')
      expect(await transcripts.begin(ALICE, 't', '{}', LIMITS)).toBe('taken')
      expect(await transcripts.find(ALICE, 't')).toEqual({
        id: 't',
        number: expect.any(Number),
        head: '{"cwd":"/ü"}',
        lines: 0,
        bytes: 0,
        updatedAt: clock.now(),
        holder: '',
        heldUntil: 0,
        now: clock.now(),
      })
      expect(await transcripts.find(BOB, 't')).toBeNull()
      expect(await transcripts.lines(BOB, 't', 0, 9)).toEqual([])
      expect(await transcripts.drop(BOB, 't')).toBe(false)
      expect(await transcripts.hold(BOB, 't', 'h', HOLD)).toBeNull()
    })

    test('lines of any spelling come back in order', async () => {
      const { transcripts } = given().store
      await transcripts.begin(ALICE, 't', '{}', LIMITS)
      await transcripts.hold(ALICE, 't', 'h', HOLD)
      const lines = ['"a"', '""', '"nul\\u0000"', '"ünï 😀"', '"a"', `"${'x'.repeat(300_000)}"`]
      expect(await transcripts.append(ALICE, 't', 'h', adding(lines.slice(0, 4)))).toBe(true)
      expect(await transcripts.append(ALICE, 't', 'h', adding(lines.slice(4)))).toBe(true)
      expect(await transcripts.lines(ALICE, 't', 0, 99)).toEqual(lines)
      expect(await transcripts.lines(ALICE, 't', 1, 2)).toEqual(lines.slice(1, 3))
      expect(await transcripts.lines(ALICE, 't', 6, 2)).toEqual([])
      const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0)
      expect(await transcripts.find(ALICE, 't')).toMatchObject({ lines: 6, bytes })
    })

    test('only the holder appends, until it gives up', async () => {
      const { store, clock } = given()
      const { transcripts } = store
      await transcripts.begin(ALICE, 't', '{}', LIMITS)
      expect(await transcripts.append(ALICE, 't', 'one', adding(['1']))).toBe(false)
      expect(await transcripts.hold(ALICE, 't', 'one', HOLD)).toMatchObject({
        held: true,
        before: { holder: '' },
      })
      expect(await transcripts.hold(ALICE, 't', 'two', HOLD)).toMatchObject({
        held: false,
        before: { holder: 'one', heldUntil: clock.now() + HOLD },
      })
      expect(await transcripts.append(ALICE, 't', 'two', adding(['2']))).toBe(false)
      expect(await transcripts.append(ALICE, 't', 'one', adding(['1'], { holdMs: 0, head: '[1]' }))).toBe(
        true,
      )
      expect(await transcripts.append(ALICE, 't', 'one', adding(['3']))).toBe(false)
      expect(await transcripts.hold(ALICE, 't', 'two', HOLD)).toMatchObject({ held: true })
      expect(await transcripts.find(ALICE, 't')).toMatchObject({ lines: 1, head: '[1]', holder: 'two' })
    })

    test('an expired holder is replaced and appends no more', async () => {
      const { store, clock } = given()
      const { transcripts } = store
      await transcripts.begin(ALICE, 't', '{}', LIMITS)
      await transcripts.hold(ALICE, 't', 'one', HOLD)
      clock.advance(HOLD - 1)
      expect(await transcripts.hold(ALICE, 't', 'two', HOLD)).toMatchObject({ held: false })
      // Late, but still its own.
      clock.advance(1)
      expect(await transcripts.append(ALICE, 't', 'one', adding(['1']))).toBe(true)
      clock.advance(HOLD)
      const taken = await transcripts.hold(ALICE, 't', 'two', HOLD)
      expect(taken).toMatchObject({ held: true, before: { holder: 'one' } })
      expect(await transcripts.append(ALICE, 't', 'one', adding(['x']))).toBe(false)
      expect(await transcripts.append(ALICE, 't', 'two', adding([], { holdMs: 0 }))).toBe(true)
      expect(await transcripts.append(ALICE, 't', 'one', adding(['x']))).toBe(false)
      expect(await transcripts.lines(ALICE, 't', 0, 9)).toEqual(['1'])
    })

    test('of 32 that want to hold it one does', async () => {
      const { transcripts } = given().store
      await transcripts.begin(ALICE, 't', '{}', LIMITS)
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, index) => transcripts.hold(ALICE, 't', `h${index}`, HOLD)),
      )
      expect(answers.filter((answer) => answer?.held)).toHaveLength(1)
      const winner = answers.findIndex((answer) => answer?.held)
      expect(await transcripts.find(ALICE, 't')).toMatchObject({ holder: `h${winner}` })
    })

    test('an append keeps it alive, an expired one is a miss', async () => {
      const { store, clock } = given()
      const { transcripts } = store
      await transcripts.begin(ALICE, 't', '{}', LIMITS)
      clock.advance(LIFE - 1)
      await transcripts.hold(ALICE, 't', 'h', HOLD)
      expect(await transcripts.append(ALICE, 't', 'h', adding(['1'], { holdMs: 0 }))).toBe(true)
      clock.advance(LIFE - 1)
      expect(await transcripts.lines(ALICE, 't', 0, 9)).toEqual(['1'])
      clock.advance(1)
      expect(await transcripts.find(ALICE, 't')).toBeNull()
      expect(await transcripts.lines(ALICE, 't', 0, 9)).toEqual([])
      expect(await transcripts.list(ALICE, null, 9)).toEqual([])
      expect(await transcripts.begin(ALICE, 't', '{}', LIMITS)).toBe('begun')
      expect(await transcripts.lines(ALICE, 't', 0, 9)).toEqual([])
    })

    test('the list is newest first, and its pages do not move', async () => {
      const { transcripts } = given().store
      for (const id of ['a', 'b', 'c', 'd']) await transcripts.begin(ALICE, id, '{}', LIMITS)
      await transcripts.begin(BOB, 'e', '{}', LIMITS)
      const first = await transcripts.list(ALICE, null, 2)
      expect(first.map(({ id }) => id)).toEqual(['d', 'c'])
      await transcripts.begin(ALICE, 'f', '{}', LIMITS)
      await transcripts.hold(ALICE, 'a', 'h', HOLD)
      await transcripts.append(ALICE, 'a', 'h', adding(['1'], { holdMs: 0 }))
      const rest = await transcripts.list(ALICE, first.at(-1)?.number ?? 0, 9)
      expect(rest.map(({ id }) => id)).toEqual(['b', 'a'])
    })

    test('a dropped transcript is gone with its lines', async () => {
      const { store } = given()
      const { transcripts } = store
      await transcripts.begin(ALICE, 't', '{}', LIMITS)
      await transcripts.hold(ALICE, 't', 'h', HOLD)
      await transcripts.append(ALICE, 't', 'h', adding(['1']))
      expect([await transcripts.drop(ALICE, 't'), await transcripts.drop(ALICE, 't')]).toEqual([true, false])
      expect(await transcripts.append(ALICE, 't', 'h', adding(['2']))).toBe(false)
      expect(await transcripts.begin(ALICE, 't', '{}', LIMITS)).toBe('begun')
      expect(await transcripts.lines(ALICE, 't', 0, 9)).toEqual([])
    })

    test('a principal has at most so many, expired ones not counted', async () => {
      const { store, clock } = given()
      const { transcripts } = store
      const begin = (id: string) => transcripts.begin(ALICE, id, '{}', { lifeMs: LIFE, most: 2 })
      expect([await begin('a'), await begin('b'), await begin('c')]).toEqual(['begun', 'begun', 'full'])
      expect(await transcripts.begin(BOB, 'c', '{}', { lifeMs: LIFE, most: 2 })).toBe('begun')
      clock.advance(LIFE)
      expect([await begin('c'), await begin('d'), await begin('e')]).toEqual(['begun', 'begun', 'full'])
    })

    test('ids of odd spelling do not meet', async () => {
      const { transcripts } = given().store
      const ids = [
        '',
        '__proto__',
        '../a',
        'a\u0000',
        'a\u0000b',
        '\ud800',
        '\ud801',
        'x'.repeat(10_000),
        "'",
        '%',
      ]
      for (const id of ids) expect(await transcripts.begin(ALICE, id, '{}', LIMITS)).toBe('begun')
      for (const id of ids) expect((await transcripts.find(ALICE, id))?.id).toBe(id)
      expect((await transcripts.list(ALICE, null, 99)).map(({ id }) => id)).toEqual(ids.toReversed())
    })

    test('its lines count for the bytes of the principal', async () => {
      const { store } = given()
      const { transcripts } = store
      await transcripts.begin(ALICE, 't', '{}', LIMITS)
      await transcripts.hold(ALICE, 't', 'h', HOLD)
      await transcripts.append(ALICE, 't', 'h', adding([`"${'é'.repeat(500)}"`, '"x"']))
      expect([await store.holdsBytes(ALICE, 1005), await store.holdsBytes(ALICE, 1006)]).toEqual([
        true,
        false,
      ])
      expect(await store.holdsBytes(BOB, 1)).toBe(false)
    })
  })
}
