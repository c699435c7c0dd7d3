import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { notesStage, type NotesStage } from './notes-stage.ts'

/* The body of `send` is a variable that the domain does not declare: it is taught as one argument, and checked. */

let stage: NotesStage

beforeAll(async () => {
  stage = await notesStage([])
}, 30_000)
afterAll(() => stage.close())
beforeEach(() => void stage.requests.splice(0))

test('the body is taught', () => {
  expect(stage.table).toMatch(/^e1\(.*\)\.send\(\)\t.*opt input json/m)
})

test('an argument that is not taught is refused and never sent', async () => {
  const answer = await stage.run('e1("a").send(bananas=3)')
  expect(answer).toContain('unknown_argument')
  expect(answer).toContain('`input`')
  expect(stage.requests).toEqual([])
})

test('the taught argument is the body', async () => {
  await stage.run('e1("a").send(input={to: "ann", copies: 2})')
  await stage.run('e1("b").send()')
  expect(stage.requests).toEqual(['POST /notes/a/send {"to":"ann","copies":2}', 'POST /notes/b/send {}'])
})

test('a body of another shape is refused by the plan', async () => {
  expect(await stage.plan('e1("a").send(input="bananas")')).toContain('value_mismatch')
})

test.each(['.', '..', '%2e', 'a\\u0000b', 'a\\nb', 'a\\r'])('a plan refuses the id "%s"', async (id) => {
  expect(await stage.plan(`e1("${id}").delete()`)).toContain('unsafe_argument')
  expect(await stage.plan(`e1("${id}")`)).toContain('unsafe_argument')
  expect(stage.requests).toEqual([])
})
