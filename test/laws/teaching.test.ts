import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Wave } from '../../src/session/record.ts'
import { symbolSpace } from '../../src/session/exposure.ts'
import { TABLE_HEADER, teachingTable } from '../../src/teaching/table.ts'
import { model, play, steps } from './histories.ts'
import { cases } from './runs.ts'

const everything = () => true
const spaceOf = (waves: readonly Wave[]) => symbolSpace(waves, model)
const tableOf = (waves: readonly Wave[], base = 0) =>
  teachingTable({ waves, base, spaceOf, model, allows: everything })

describe('a teaching table', () => {
  test('is a prefix of every later one', () => {
    fc.assert(
      fc.property(steps(1), (history) => {
        const records = play(history)
        for (const [index, record] of records.entries()) {
          const next = records[index + 1]
          if (next) expect(tableOf(next.waves).startsWith(tableOf(record.waves))).toBe(true)
        }
      }),
      { numRuns: cases(2000) },
    )
  })

  test('holds every row once, in two cells', () => {
    fc.assert(
      fc.property(steps(), (history) => {
        const rows = tableOf(play(history).at(-1)?.waves ?? [])
          .split('\n')
          .slice(1, -1)
        expect(new Set(rows).size).toBe(rows.length)
        for (const row of rows) expect(row).toMatch(/^[^\t\s][^\t]*\t[^\t]*\S$/)
      }),
      { numRuns: cases(2000) },
    )
  })

  test('is the sum of its deltas', () => {
    fc.assert(
      fc.property(steps(), fc.nat(), (history, split) => {
        const waves = play(history).at(-1)?.waves ?? []
        const base = split % (waves.length + 1)
        const upTo = (text: string) => text.split('\n').slice(1, -1)
        const whole = upTo(tableOf(waves))
        const delta = upTo(tableOf(waves, base))
        expect(whole.slice(whole.length - delta.length)).toEqual(delta)
      }),
      { numRuns: cases(2000) },
    )
  })

  test('begins with the header or is empty', () => {
    expect(tableOf([])).toBe('')
    expect(TABLE_HEADER).toBe('plasm_expr\tMeaning')
  })
})

describe('a symbol', () => {
  test('never comes to mean something else', () => {
    fc.assert(
      fc.property(steps(), (history) => {
        const meanings = new Map<string, string>()
        for (const record of play(history)) {
          const space = symbolSpace(record.waves, model)
          for (const exposed of space.entities) {
            const meaning = `${exposed.catalog} ${exposed.digest} ${exposed.entity}`
            expect(meanings.get(exposed.symbol) ?? meaning).toBe(meaning)
            meanings.set(exposed.symbol, meaning)
          }
        }
      }),
      { numRuns: cases(10_000) },
    )
  })

  test('is live for one exposure of an entity at a time', () => {
    fc.assert(
      fc.property(steps(), (history) => {
        for (const record of play(history)) {
          const live = symbolSpace(record.waves, model).entities.filter((exposed) => exposed.live)
          const names = live.map(({ catalog, entity }) => `${catalog}:${entity}`)
          expect(new Set(names).size).toBe(names.length)
        }
      }),
      { numRuns: cases(10_000) },
    )
  })

  test('is the same in every process', () => {
    fc.assert(
      fc.property(steps(), (history) => {
        const waves = play(history).at(-1)?.waves ?? []
        expect(tableOf(structuredClone(waves))).toBe(tableOf(waves))
      }),
      { numRuns: cases(2000) },
    )
  })
})
