import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { notesStage, type NotesStage } from './notes-stage.ts'

/* Rows that differ look different, and a row is called by what identifies it. */

const CODES = ['x', 'x\u200b', '\u202ex', 'x\u00ad', 'x\ufeff']
const ROWS = CODES.map((code, index) => ({ title: `t${index}`, id: `not the key ${index}`, code }))

let stage: NotesStage

beforeAll(async () => {
  stage = await notesStage(ROWS)
}, 30_000)
afterAll(() => stage.close())
beforeEach(() => void stage.requests.splice(0))

test('five ids that look alike are printed apart', async () => {
  const answer = await stage.run('e1{}[code]')
  for (const shown of ['x', 'x\\u{200b}', '\\u{202e}x', 'x\\u{ad}', 'x\\u{feff}'])
    expect(answer).toContain(`\n${shown}\n`)
})

test('an id is read back as it is printed', async () => {
  await stage.run('e1("x\\u{200b}")[title]')
  expect(stage.requests).toEqual([`GET /notes/${encodeURIComponent('x\u200b')}`])
})

test('the key that is not the first field is taught by its name', () => {
  expect(stage.table).toMatch(/^e1\(code=\$\)\t/m)
})

test('an answer that is a scalar keeps the identity of the row that was asked for', async () => {
  const answer = await stage.run('done = e1("x").ping()\ndone')
  expect(answer).toContain('\nx\n')
  expect(answer).not.toContain('pong')
})

test('a loop over ids with dot segments or line breaks sends nothing', async () => {
  const bad = await notesStage([{ code: 'ok' }, { code: '..' }, { code: 'a\nb' }])
  try {
    const answer = await bad.run('e1{} => _.delete()')
    expect(answer).toContain('unsafe_argument')
    expect(bad.requests).toEqual(['GET /notes'])
  } finally {
    await bad.close()
  }
}, 30_000)
