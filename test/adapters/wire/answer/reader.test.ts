import { afterAll, expect, test } from 'vitest'
import { AnswerReader } from '../../../../src/adapters/wire/answer/reader.ts'
import type { AnswerBody } from '../../../../src/adapters/wire/answer/read.ts'
import { Deadline } from '../../../../src/adapters/wire/deadline.ts'

const reader = new AnswerReader()
afterAll(() => reader.shutDown())

function body(text: string, more: Partial<AnswerBody> = {}): AnswerBody {
  return { body: [Buffer.from(text)], as: 'json', secrets: [], ...more }
}

async function read(given: AnswerBody, principal = 'ann') {
  const deadline = new Deadline(undefined, 20_000)
  try {
    return await reader.read(given, principal, deadline)
  } finally {
    deadline.dispose()
  }
}

/** A large body: its rows are read in a thread. */
const ROWS = Array.from({ length: 9000 }, (_, id) => `{"id":${id},"note":"${'word '.repeat(20)}"}`)
const LARGE = `{"rows":[${ROWS.join()}]}`

test('a large body reads as a small one does', async () => {
  const got = await read(body(`{"big":12345678901234567890,"large":${LARGE}}`))
  expect(got).toEqual({ value: { big: '12345678901234567890', large: JSON.parse(LARGE) } })
})

test('pieces of a body read as one, wherever they divide it', async () => {
  for (const text of ['{"note":"žluťoučký 🐎"}', `{"note":"${'ř'.repeat(200_001)}"}`]) {
    const bytes = new TextEncoder().encode(text)
    const size = Math.ceil(bytes.length / 7)
    const pieces = Array.from({ length: 7 }, (_, at) => bytes.slice(at * size, (at + 1) * size))
    expect(await read(body('', { body: pieces }))).toEqual({ value: JSON.parse(text) })
  }
})

test('this thread goes on while a large body is read', async () => {
  let turns = 0
  const ticking = setInterval(() => turns++, 1)
  await read(body(`[${[LARGE, LARGE, LARGE, LARGE].join()}]`))
  clearInterval(ticking)
  expect(turns).toBeGreaterThan(20)
})

test('secrets are struck out of large bodies', async () => {
  const text = `{"a":"${'x'.repeat(300_000)}","key":"s3cr\\u0033t-value"}`
  const got = await read(body(text, { secrets: ['s3cr3t-value'] }))
  expect(got).toMatchObject({ value: { key: 'SECRET_REMOVED' } })
  const page = `<p>s3cr3t-value</p>${'x'.repeat(300_000)}`
  expect(await read(body(page, { secrets: ['s3cr3t-value'] }))).toEqual({
    wrong: 'not_json',
    text: `<p>SECRET_REMOVED</p>${'x'.repeat(1000 - 21)}`,
  })
})

test('text and bytes that are large are read as they are', async () => {
  const text = 'words '.repeat(60_000)
  expect(await read(body(text, { as: 'text' }))).toEqual({ value: text })
  expect(await read(body(text, { as: 'bytes' }))).toEqual({ value: Buffer.from(text).toString('base64') })
})

test('large bodies of one caller leave a thread for the next caller', async () => {
  const order: string[] = []
  const noted = async (principal: string, text: string) => {
    await read(body(text), principal)
    order.push(principal)
  }
  // Both threads have started: a start takes longer than reading.
  await Promise.all([read(body(LARGE), 'ann'), read(body(LARGE), 'ben')])
  const greedy = Array.from({ length: 4 }, () => noted('greedy', LARGE))
  await Promise.all([...greedy, noted('calm', `["${'x'.repeat(300_000)}"]`)])
  // The first one of the other caller was there before it.
  expect(order.indexOf('calm')).toBeLessThanOrEqual(1)
})

test('a body that waits until its deadline is not read', async () => {
  const deadline = new Deadline(undefined, 20_000)
  const reading = reader.read(body(LARGE), 'ann', deadline)
  deadline.end()
  await expect(reading).rejects.toThrow('aborted')
  deadline.dispose()
})
