import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { notesStage, type NotesStage } from './notes-stage.ts'

/* An integer that a double cannot hold reaches a JSON body as a number with all its digits, however it came there. */

const LARGE = '9007199254740993'
const ROWS = `{"notes":[{"code":"a","title":"t","points":${LARGE}},{"code":"b","title":"t","points":9007199254740992}]}`

let stage: NotesStage

beforeAll(async () => {
  stage = await notesStage(ROWS)
}, 30_000)
afterAll(() => stage.close())
beforeEach(() => void stage.requests.splice(0))

test.each(['9007199254740992', LARGE, '123456789012345678901234567890', '-9007199254740993'])(
  'a program writes %s',
  async (digits) => {
    expect(await stage.plan(`e1("a").update(points=${digits})`)).toContain(`points=${digits}`)
    await stage.run(`e1("a").update(points=${digits})`)
    expect(stage.requests).toEqual([`PATCH /notes/a {"points":${digits}}`])
  },
)

test('rows give them', async () => {
  await stage.run('e1{} => _.update(points=_.points)')
  expect(stage.requests.slice(1)).toEqual([
    `PATCH /notes/a {"points":${LARGE}}`,
    'PATCH /notes/b {"points":9007199254740992}',
  ])
})

test('a slot for JSON takes them from programs, from rows and from text', async () => {
  await stage.run(`e1("a").send(input={id: ${LARGE}, ids: [${LARGE}, 1], text: "${LARGE}"})`)
  await stage.run('e1{} => _.send(input={id: _.points})')
  await stage.run(`e1("a").send(input="{\\"id\\": ${LARGE}}")`)
  expect(stage.requests.filter((request) => request.startsWith('POST'))).toEqual([
    `POST /notes/a/send {"id":${LARGE},"ids":[${LARGE},1],"text":"${LARGE}"}`,
    `POST /notes/a/send {"id":${LARGE}}`,
    'POST /notes/b/send {"id":9007199254740992}',
    `POST /notes/a/send {"id":${LARGE}}`,
  ])
})

test('computed rows give them', async () => {
  await stage.run(`x = {id: ${LARGE}}\ne1("a").send(input={id: x.id})`)
  await stage.run(`x = {id: ${LARGE}}\ne1("a").update(points=x.id)`)
  expect(stage.requests).toEqual([`POST /notes/a/send {"id":${LARGE}}`, `PATCH /notes/a {"points":${LARGE}}`])
})
