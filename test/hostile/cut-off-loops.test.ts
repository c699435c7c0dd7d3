import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serve } from '../surfaces/server-process.ts'
import { openStage, SILENCE, type Stage, writesIn } from './tasks-stage.ts'

/* A process that ends in the middle of a loop of writes: the next one accounts for every row, and offers what was not sent. */

// Each of them starts two servers or more.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const program = 'few = Task.limit(5)\nfew => _.update(title="${_.title}!", points=9)'

let stage: Stage
beforeEach(async () => void (stage = await openStage([], serve)))
afterEach(() => stage.close())

/** Runs the program, and ends the server while the API is silent about this request. */
async function cutOffAt(request: string, signal: NodeJS.Signals, plan?: string): Promise<void> {
  stage.script = (line) => (line.startsWith(request) ? SILENCE : undefined)
  const answer = stage.runPlan(program, plan).catch(() => undefined)
  await stage.received(request)
  await stage.restart(signal)
  await answer
  stage.script = () => undefined
  stage.log.splice(0)
}

const statesOf = ({ effects }: Awaited<ReturnType<Stage['run']>>) =>
  effects.map(({ row, state }) => `${row}:${state}`)

const planIn = (text: string) => /`(pc\d+)`/.exec(text)?.[1]

test('killed while row 3 is with the API: every row is accounted for, and the rest can be sent', async () => {
  const { plan } = await stage.review(program)
  await cutOffAt('PATCH /v1/tasks/3 ', 'SIGKILL', plan)
  const told = await stage.runPlan(program, plan)
  expect(statesOf(told)).toEqual(['1:done', '2:done', '3:unknown', '4:not_sent', '5:not_sent'])
  expect(told.problems.map(({ code }) => code)).toEqual(['run_cut_off', 'rest_planned'])
  expect(told.text).toMatch(/row 3: unknown: .* Read `e\d\(3\)` to see whether it was done\./)
  expect(told.text).toContain('rows 4 and 5')
  expect(told.text).not.toMatch(/run it again/i)
  expect(stage.log).toEqual([])
  // The same account and the same plan, however often and by however many it is asked for.
  const again = await Promise.all([1, 2, 3].map(() => stage.runPlan(program, plan)))
  for (const one of again) expect(one.text).toBe(told.text)
  const rest = await stage.runPlan(program, planIn(told.text))
  expect(statesOf(rest)).toEqual(['1:done', '2:done'])
  expect(stage.log).toEqual([
    'PATCH /v1/tasks/4 {"title":"Task 4!","points":9}',
    'PATCH /v1/tasks/5 {"title":"Task 5!","points":9}',
  ])
  await stage.runPlan(program, planIn(told.text))
  expect(writesIn(stage.log)).toHaveLength(2)
})

test('calls that find it at once are offered one plan', async () => {
  const { plan } = await stage.review(program)
  await cutOffAt('PATCH /v1/tasks/2 ', 'SIGKILL', plan)
  const told = await Promise.all([1, 2, 3, 4].map(() => stage.runPlan(program, plan)))
  const plans = new Set(told.map(({ text }) => planIn(text)))
  expect([...plans]).toEqual([expect.stringMatching(/^pc\d+$/)])
})

test('killed while the rest is sent: the rest of the rest is offered in turn', async () => {
  const { plan } = await stage.review(program)
  await cutOffAt('PATCH /v1/tasks/2 ', 'SIGKILL', plan)
  const rest = planIn((await stage.runPlan(program, plan)).text)
  await cutOffAt('PATCH /v1/tasks/4 ', 'SIGKILL', rest)
  const told = await stage.runPlan(program, rest)
  expect(statesOf(told)).toEqual(['1:done', '2:unknown', '3:not_sent'])
  await stage.runPlan(program, planIn(told.text))
  expect(writesIn(stage.log)).toEqual(['PATCH /v1/tasks/5 {"title":"Task 5!","points":9}'])
})

test('killed before anything was sent: nothing is offered but a new review', async () => {
  const { plan } = await stage.review(program)
  await cutOffAt('GET /v1/tasks?page=2', 'SIGKILL', plan)
  const told = await stage.runPlan(program, plan)
  expect(statesOf(told)).toEqual(['1:not_sent'])
  expect(told.problems.map(({ code }) => code)).toEqual(['run_cut_off'])
  expect(told.text).toContain('Nothing was sent')
  expect(writesIn(stage.log)).toEqual([])
})

test('ended by SIGTERM: the loop ends, and its answer is kept for the next process', async () => {
  const { plan } = await stage.review(program)
  stage.script = (line) => (line.startsWith('PATCH /v1/tasks/3 ') ? SILENCE : undefined)
  const answer = stage.runPlan(program, plan).catch(() => undefined)
  await stage.received('PATCH /v1/tasks/3 ')
  const restarted = stage.restart('SIGTERM')
  stage.breakSilence()
  await restarted
  await answer
  const told = await stage.runPlan(program, plan)
  expect(statesOf(told)).toEqual([1, 2, 3, 4, 5].map((row) => `${row}:done`))
  expect(writesIn(stage.log)).toHaveLength(5)
})
