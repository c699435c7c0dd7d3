import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { notesStage, type NotesStage } from './notes-stage.ts'

/*
 * What a plan shows of a call is what the API receives. Null is a condition on rows and a value in a body; where it can be
 * neither evaluated nor sent, the program is refused before anything is sent.
 */

const ROWS = [
  { title: 'mine', id: '1', code: 'a', owner: 'ann', points: 1, milestone: 'm1' },
  { title: 'orphan', id: '2', code: 'b', owner: null, points: 2, milestone: null },
  { title: 'other', id: '3', code: 'c', owner: 'bob', points: 3 },
]

let stage: NotesStage

beforeAll(async () => {
  stage = await notesStage(ROWS)
}, 30_000)
afterAll(() => stage.close())
beforeEach(() => void stage.requests.splice(0))

describe('null as a condition', () => {
  test.each(['e1{owner=null}[code]', 'e1{owner=}[code]'])(
    '%s keeps rows without an owner',
    async (program) => {
      const answer = await stage.run(program)
      expect(stage.requests).toEqual(['GET /notes'])
      expect(answer).toContain('(1 row)')
      expect(answer).toContain('\nb\n')
    },
  )

  test('a delete over it deletes those rows alone', async () => {
    await stage.run('e1{owner=null} => _.delete()')
    expect(stage.requests).toEqual(['GET /notes', 'DELETE /notes/b'])
  })

  test.each(['e1{sort=null}', 'e1{sort=}'])('%s, which is no field, is refused', async (program) => {
    expect(await stage.plan(program)).toContain('null_condition')
    expect(stage.requests).toEqual([])
  })

  test('a null that a row gives is refused before the read', async () => {
    expect(await stage.run('x = e1("b")\ny = e1{owner=x.owner}\ny')).toContain('hole_no_field')
    expect(stage.requests).toEqual(['GET /notes/b'])
  })
})

describe('null as a value', () => {
  test('is planned and sent in a body', async () => {
    expect(await stage.plan('e1("a").update(milestone=null)')).toContain('milestone=null')
    await stage.run('e1("a").update(milestone=null)')
    expect(stage.requests).toEqual(['PATCH /notes/a {"milestone":null}'])
  })

  test('is sent where the body spells its keys out', async () => {
    await stage.run('e1("a").mark(milestone=null)')
    expect(stage.requests).toEqual(['PUT /notes/a {"milestone":null}'])
  })

  test('is refused where the value goes into a query string', async () => {
    expect(await stage.plan('e1("a").label(milestone=null)')).toContain('null_not_sent')
    expect(await stage.plan('e1{owner=ann} => _.label(milestone=null)')).toContain('null_not_sent')
    expect(stage.requests).toEqual([])
  })

  test('is refused as a key', async () => {
    expect(await stage.plan('e1(null).delete()')).toContain('value_mismatch')
    expect(stage.requests).toEqual([])
  })
})

describe('a parameter that no request sends', () => {
  test('is not in the table', () => {
    expect(stage.table).not.toMatch(/archived|folder|receiver/)
  })

  test.each(['e1{archived=yes}', 'e1("a").move(title=x, folder=inbox)', 'e1("a").give(receiver=ann)'])(
    '%s is refused',
    async (program) => {
      expect(await stage.run(program)).toMatch(/unknown_argument|unknown_predicate|unsupported/)
      expect(stage.requests).toEqual([])
    },
  )
})

test('a long text is shown by its beginning, length and hash, also around a value', async () => {
  const plan = await stage.plan(`x = e1("a")\ne1("b").update(title="${'long '.repeat(99)}\${x.title}")`)
  expect(plan).toMatch(/title="long [^"]*… \(495 characters, sha256 [\da-f]{16}\)\$\{x\.title\}"/)
  expect(plan.length).toBeLessThan(1000)
})
