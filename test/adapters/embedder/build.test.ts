import { expect, test } from 'vitest'
import { build } from '../../../bench/vectors/build.ts'
import { matrix, normalize } from '../../../bench/vectors/matrix.ts'
import { random } from '../../../bench/vectors/sample.ts'
import { tableBytes } from '../../../src/adapters/embedder/static-table.ts'

const vocabulary = ['red', 'green', 'blue', 'and', 'unused']

/** Texts of three words, and a model whose vectors are sums of hidden vectors in which `and` says nothing. */
function sources() {
  const next = random(7)
  const hidden = matrix(
    5,
    8,
    Float32Array.from({ length: 40 }, (_, at) => (at < 24 ? next() - 0.5 : 0)),
  )
  const texts = Array.from({ length: 200 }, () => [0, 1].map(() => Math.floor(next() * 3)))
  const taught = matrix(200, 8)
  for (const [row, words] of texts.entries())
    for (const word of words)
      for (let i = 0; i < 8; i++)
        taught.values[row * 8 + i] = (taught.values[row * 8 + i] ?? 0) + (hidden.values[word * 8 + i] ?? 0)
  normalize(taught)
  const alone = matrix(
    5,
    8,
    Float32Array.from({ length: 40 }, () => next() - 0.5),
  )
  return {
    vocabulary,
    services: ['trello'],
    texts: texts.map(([a = 0, b = 0]) => `${vocabulary[a]} and ${vocabulary[b]}`),
    taught,
    alone,
  }
}

const training = { epochs: 40, batch: 16, rate: 0.01, seed: 1, heldBack: 0.1 }

test('training brings the sums close to the model', () => {
  const { cosines } = build(sources(), 3, training)
  expect(cosines.at(-1)).toBeGreaterThan(0.9)
  expect(cosines.at(-1)).toBeGreaterThan(cosines[0] ?? 1)
})

test('gives the same bytes each time', () => {
  const [one, other] = [build(sources(), 3, training), build(sources(), 3, training)]
  expect(tableBytes(one.table)).toEqual(tableBytes(other.table))
  expect(tableBytes(build(sources(), 3, { ...training, seed: 2 }).table)).not.toEqual(tableBytes(one.table))
})
