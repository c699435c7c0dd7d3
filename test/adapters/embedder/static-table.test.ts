import { describe, expect, test } from 'vitest'
import { loadWordTable } from '../../../src/adapters/embedder/load.ts'
import { readTable, wordTable, tableBytes } from '../../../src/adapters/embedder/static-table.ts'
import { wordPieces } from '../../../src/adapters/embedder/word-piece.ts'

const vocabulary = ['play', '##ing', 'pokemon', '##s', 'x']
const places = new Map(vocabulary.map((piece, at) => [piece, at]))

describe('the pieces of a text', () => {
  test.each([
    ['playing Pokémons!', [0, 1, 2, 3]],
    ['x-plays', [4, 0, 3]],
    ['plays unknown words', [0, 3]],
    ['', []],
  ])('%j', (text, pieces) => {
    expect(wordPieces(text, places)).toEqual(pieces)
  })

  test('of one endless word are none', () => {
    expect(wordPieces('x'.repeat(1_000_000), places)).toEqual([])
  })
})

describe('a table', () => {
  const table = {
    dimensions: 2,
    vocabulary,
    services: ['trello'],
    scales: Float32Array.from([0.5, 1, 1, 1, 0]),
    rows: Int8Array.from([6, 8, -127, 127, 1, 0, 0, 1, 9, 9]),
  }

  test('is read as it was written', () => {
    expect(readTable(tableBytes(table))).toEqual(table)
  })

  test('that is cut off is a mistake of the program', () => {
    expect(() => readTable(tableBytes(table).subarray(0, -1))).toThrow('cut off')
    expect(() => readTable(new Uint8Array(40))).toThrow('no table')
  })

  test('adds the vectors of the pieces up', () => {
    const { embed, isWord, isService } = wordTable(table)
    expect([...embed('play')]).toEqual([Math.fround(0.6), Math.fround(0.8)])
    expect([...embed('unknown x')]).toEqual([0, 0])
    expect([isWord('play'), isWord('plays'), isService('trello'), isService('play')]).toEqual([
      true,
      false,
      true,
      false,
    ])
  })
})

test('the shipped table puts similar texts close', async () => {
  const { embed } = await loadWordTable()
  const near = (a: string, b: string) =>
    embed(a).reduce((sum, value, at) => sum + value * (embed(b)[at] ?? 0), 0)
  expect(near('send an email', 'write a message')).toBeGreaterThan(
    near('send an email', 'a river in Africa') + 0.2,
  )
  expect(near('bug report', 'issue tracker')).toBeGreaterThan(near('bug report', 'apple pie') + 0.1)
})
