import { expect, test } from 'vitest'
import { Sliced } from '../../src/base/slices/sliced.ts'
import type { SentenceModel } from '../../src/discovery/embedder.ts'
import { loadWordTable } from '../../src/adapters/embedder/load.ts'
import type { Visible } from '../../src/discovery/corpus.ts'
import { answer, ask, prepare } from '../../src/discovery/discover.ts'
import { meaningBySentences } from '../../src/discovery/meaning.ts'
import { embeddedIn } from '../../src/discovery/vectors.ts'
import { everything } from './asking.ts'
import { setOf, sketch } from './catalogs.ts'

const table = await loadWordTable()
const set = setOf(
  sketch('desk', {
    Ticket: { description: 'A matter to settle', can: ['query', 'close'] },
    Person: { description: 'A customer with a request' },
  }),
  sketch('kitchen', { Recipe: { description: 'How a dish is made' } }),
)
const corpus = new Sliced(prepare(set, table)).whole()

/** A model whose vectors have one dimension for each of these words. */
function modelOf(words: readonly string[], kept: (text: string) => boolean = () => true): SentenceModel {
  const vectorOf = (text: string) => {
    const has = words.map((word) => Number(new RegExp(word, 'i').test(text)))
    return Float32Array.from(has, (one) => one / (Math.hypot(...has) || 1))
  }
  return {
    dimensions: words.length,
    kept: (text) => (kept(text) ? vectorOf(text) : undefined),
    keep: async () => true,
    embed: async (texts) => texts.map(vectorOf),
  }
}

/** The rows for a goal by a model, each with its fit. */
async function rowsBy(model: SentenceModel, intent: string, visible: Visible = everything) {
  const asked = new Sliced(ask(set, { intent }, visible, table)).whole()
  const state = new Sliced(embeddedIn(corpus, model)).whole()
  if ('missing' in state) throw new Error('A text has no vector.')
  const { texts } = asked.question
  const vectors = (await model.embed(texts)) ?? []
  const pairs = new Map(texts.map((text, at) => [text, vectors[at] ?? new Float32Array()]))
  const { rows } = new Sliced(answer(asked, meaningBySentences(state.vectors, pairs))).whole()
  return rows.map(({ api, entity, fit }) => `${api} ${entity} ${fit}`)
}

test('an entity without a word of the goal is found by its sentence', async () => {
  const rows = await rowsBy(modelOf(['recipe|stew', 'ticket', 'person']), 'what goes into a stew')
  expect(rows[0]).toBe('kitchen Recipe strong')
})

test('each part of a goal finds its own', async () => {
  const model = modelOf(['recipe|stew', 'ticket|quarrel', 'person'])
  const rows = await rowsBy(model, 'cook a stew, then end the quarrel')
  expect(rows.slice(0, 2).toSorted()).toEqual(['desk Ticket strong', 'kitchen Recipe strong'])
})

test('the text of a capability that the caller may not use says nothing', async () => {
  const model = modelOf(['close|quarrel', 'recipe', 'person'])
  const intent = 'end the quarrel'
  expect((await rowsBy(model, intent))[0]).toBe('desk Ticket strong')
  const visible = { ...everything, mayUseCapability: (_: string, name: string) => !/close/i.test(name) }
  expect(await rowsBy(model, intent, visible)).not.toContain('desk Ticket strong')
})

test('texts without a vector are listed once, each with its API', () => {
  const model = modelOf(['recipe'], (text) => !text.includes('kitchen'))
  const state = new Sliced(embeddedIn(corpus, model)).whole()
  expect(state).toEqual({
    missing: ['kitchen recipe How a dish is made', 'kitchen recipe query', 'kitchen recipe get'],
  })
})
