import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openStage, type Stage, writesIn } from './tasks-stage.ts'

/* A loop of writes that stops half way: what it did is counted, and only what it did not send is offered again. */

let stage: Stage
beforeAll(async () => void (stage = await openStage()))
afterAll(() => stage.close())
beforeEach(() => {
  stage.log.splice(0)
  stage.script = () => undefined
})

const program = 'few = Task.limit(5)\nfew => _.update(title="${_.title}!", points=9)'
const refusesRow =
  (id: number, status = 422) =>
  (request: string) =>
    request.startsWith(`PATCH /v1/tasks/${id} `) ? { status, body: { message: 'not now' } } : undefined

test('says which rows were done, which failed and which were not sent', async () => {
  stage.script = refusesRow(3)
  const { effects, problems, text } = await stage.run(program)
  expect(effects.map(({ row, state }) => `${row}:${state}`)).toEqual([
    '1:done',
    '2:done',
    '3:failed',
    '4:not_sent',
    '5:not_sent',
  ])
  expect(text).toContain('(2 done, 1 failed, 2 not sent); first, row 3 of 5: ')
  expect(text).not.toMatch(/row 2: /)
  for (const { next } of problems) expect(next).not.toMatch(/run it again/i)
})

test.each([429, 500, 503])('after a change, a status %i does not advise to run it again', async (status) => {
  stage.script = refusesRow(3, status)
  const { effects, text } = await stage.run(program)
  expect(effects[0]).toMatchObject({ state: 'done' })
  expect(text).not.toMatch(/run it again/i)
})

test('offers a plan of exactly the rows that were not sent', async () => {
  stage.script = refusesRow(3)
  const { text } = await stage.run(program)
  const plan = /`(pc\d+)`/.exec(text)?.[1]
  expect(text).toMatch(/rows 4 and 5/)
  expect(plan).toBeDefined()
  stage.log.splice(0)
  stage.script = () => undefined
  const { effects, problems } = await stage.runPlan(program, plan)
  expect(stage.log).toEqual([
    'PATCH /v1/tasks/4 {"title":"Task 4!","points":9}',
    'PATCH /v1/tasks/5 {"title":"Task 5!","points":9}',
  ])
  expect([effects.map(({ state }) => state), problems]).toEqual([['done', 'done'], []])
  // Once: a second call with it gives the recorded outcome.
  stage.log.splice(0)
  expect((await stage.runPlan(program, plan)).effects).toHaveLength(2)
  expect(stage.log).toEqual([])
})

test('the rest of the rest is offered in turn', async () => {
  stage.script = refusesRow(2)
  const first = await stage.run(program)
  stage.script = refusesRow(4)
  const second = await stage.runPlan(program, /`(pc\d+)`/.exec(first.text)?.[1])
  expect(second.effects.map(({ state }) => state)).toEqual(['done', 'failed', 'not_sent'])
  stage.log.splice(0)
  stage.script = () => undefined
  await stage.runPlan(program, /`(pc\d+)`/.exec(second.text)?.[1])
  expect(writesIn(stage.log)).toEqual(['PATCH /v1/tasks/5 {"title":"Task 5!","points":9}'])
})

test('the plan of the rest fits no other program', async () => {
  stage.script = refusesRow(3)
  const { text } = await stage.run(program)
  stage.log.splice(0)
  const { problems } = await stage.runPlan('Task.limit(4) => _.delete()', /`(pc\d+)`/.exec(text)?.[1])
  expect([problems.map(({ code }) => code), stage.log]).toEqual([['plan_differs'], []])
})

test('where nothing was sent, no rest is offered', async () => {
  stage.script = (request) =>
    request.startsWith('GET /v1/tasks?page=1')
      ? { body: { tasks: [{ id: 1, points: 1 }, { id: 2 }] } }
      : undefined
  const { text } = await stage.run('Task.limit(2) => _.update(points=_.points)')
  expect([writesIn(stage.log), text]).toEqual([[], expect.not.stringContaining('`pc')])
})
