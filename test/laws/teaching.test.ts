import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Wave } from '../../src/session/record.ts'
import { Spaces } from '../../src/engine/memory/spaces.ts'
import { symbolSpace } from '../../src/session/exposure.ts'
import { TABLE_HEADER, teachingTable } from '../../src/teaching/table.ts'
import { model, play, steps } from './histories.ts'
import { cases } from '../law-cases.ts'

/** The same by the same everywhere, as a process keeps it. */
const spaces = new Spaces()
const kept = (waves: readonly Wave[]) => spaces.of(waves, model)
const anew = (waves: readonly Wave[]) => symbolSpace(waves, model)
const tableOf = (waves: readonly Wave[], taughtRevision = 0, spaceOf = kept) =>
  teachingTable({ waves, taughtRevision, spaceOf, model, allows: () => true })
/** What a law may take at night. */
const timeout = 900_000

describe('a teaching table', () => {
  test('is a prefix of every later one', { timeout }, () => {
    fc.assert(
      fc.property(steps(1), (history) => {
        const tables = [...new Set(play(history))].map(({ waves }) => tableOf(waves))
        return tables.every((table, index) => (tables[index + 1] ?? table).startsWith(table))
      }),
      { numRuns: cases(100_000) },
    )
  })

  test('holds every row once, in two cells', { timeout }, () => {
    fc.assert(
      fc.property(steps(), (history) => {
        const rows = tableOf(play(history).at(-1)?.waves ?? [])
          .split('\n')
          .slice(1, -1)
        expect(rows.filter((row) => !/^[^\t\s][^\t]*\t[^\t]*\S$/.test(row))).toEqual([])
        return new Set(rows).size === rows.length
      }),
      { numRuns: cases(100_000) },
    )
  })

  test('is the sum of its deltas', { timeout }, () => {
    fc.assert(
      fc.property(steps(), fc.nat(), (history, split) => {
        const waves = play(history).at(-1)?.waves ?? []
        const base = split % (waves.length + 1)
        const upTo = (text: string) => text.split('\n').slice(1, -1)
        const whole = upTo(tableOf(waves))
        const delta = upTo(tableOf(waves, base))
        expect(whole.slice(whole.length - delta.length)).toEqual(delta)
      }),
      { numRuns: cases(100_000) },
    )
  })

  test('begins with the header or is empty', () => {
    expect(tableOf([])).toBe('')
    expect(TABLE_HEADER).toBe('plasm_expr\tMeaning')
  })
})

describe('a symbol', () => {
  test('never comes to mean something else', { timeout }, () => {
    fc.assert(
      fc.property(steps(), (history) => {
        const meanings = new Map<string, string>()
        for (const record of play(history)) {
          const space = symbolSpace(record.waves, model)
          for (const { symbol, catalog, digest, entity } of space.entities) {
            const meaning = `${catalog} ${digest} ${entity}`
            const before = meanings.get(symbol) ?? meaning
            if (before !== meaning) throw new Error(`${symbol} was ${before} and is ${meaning}`)
            meanings.set(symbol, meaning)
          }
        }
      }),
      { numRuns: cases(100_000) },
    )
  })

  test('is live for one exposure of an entity at a time', { timeout }, () => {
    fc.assert(
      fc.property(steps(), (history) => {
        return play(history).every((record) => {
          const live = symbolSpace(record.waves, model).entities.filter((exposed) => exposed.live)
          return new Set(live.map(({ catalog, entity }) => `${catalog}:${entity}`)).size === live.length
        })
      }),
      { numRuns: cases(100_000) },
    )
  })

  test('is the same in every process', { timeout }, () => {
    fc.assert(
      fc.property(steps(), (history) => {
        const waves = play(history).at(-1)?.waves ?? []
        expect(tableOf(structuredClone(waves), 0, anew)).toBe(tableOf(waves))
      }),
      { numRuns: cases(100_000) },
    )
  })
})
