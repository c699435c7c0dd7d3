import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openStage, type Stage, tasks, writesIn } from './tasks-stage.ts'

/* Rows that are not all there are never taken for all of them: no root hides it, and no write runs on them. */

let stage: Stage
beforeAll(async () => void (stage = await openStage()))
afterAll(() => stage.close())
beforeEach(() => {
  stage.log.splice(0)
  stage.script = () => undefined
})

const failsAt = (page: number) => (request: string) =>
  request.includes(`page=${page}&`) ? { status: 500, body: { error: 'database is down' } } : undefined

/** Page 2 is page 1 once more, whatever comes behind it. */
const repeats = (request: string) =>
  request.startsWith('GET /v1/tasks?page=2&') ? { body: { tasks: tasks.slice(0, 3) } } : undefined

describe('a page that fails', () => {
  beforeEach(() => void (stage.script = failsAt(3)))

  test.each([
    ['Task.sort(points).limit(2)'],
    ['Task.aggregate(n=count)'],
    ['Task.group_by(owner, n=count).sort(n, desc).limit(1)'],
    ['Task.sort(points).limit(2)[title]'],

    ['all = Task.aggregate(n=count)\nsum = {count=all.n}\nsum'],
  ])('marks what is made of the rest: %s', async (program) => {
    const { results } = await stage.run(program)
    expect(results.map(({ partial }) => partial)).toEqual(['failed'])
  })

  test.each([
    ['a row that is the smallest of the rest', 'Task.sort(points).limit(1) => _.delete()'],
    ['each row of the rest', 'Task => _.update(points=1)'],
    [
      'what a hole takes from the rest',
      'all = Task.aggregate(n=count)\nNote.create(text="There are ${all.n}")',
    ],
    ['the receiver', 'least = Task.sort(points).singleton()\nleast.delete()'],
    [
      'rows read by the rest',
      'top = Task.sort(points, desc).limit(1)\nagain = Task(top.id)\nagain => _.delete()',
    ],
  ])('stops a write on %s', async (_, program) => {
    const { effects, problems, text } = await stage.run(program)
    expect(writesIn(stage.log)).toEqual([])
    if (!program.includes('singleton')) {
      expect(problems.map(({ code }) => code)).toContain('incomplete_input')
      expect(text).toContain('database is down')
      expect(effects.every(({ state }) => state === 'not_sent')).toBe(true)
    }
  })

  test('leaves a prefix alone that the program asked for', async () => {
    const { results, problems } = await stage.run('Task.limit(5) => _.update(points=1)')
    expect([results[0]?.partial, problems, writesIn(stage.log).length]).toEqual([undefined, [], 5])
  })
})

test('the end of the budget stops a write as a failure does', async () => {
  // An API that never ends: a page more for each request.
  stage.script = (request) => {
    const page = Number(/page=(\d+)/.exec(request)?.[1] ?? 0)
    if (page === 0) return undefined
    return {
      body: { tasks: [1, 2, 3].map((n) => ({ id: page * 3 + n, title: 't', points: n, owner: 'ada' })) },
    }
  }
  const { problems } = await stage.run('Task.sort(points).limit(1) => _.delete()')
  expect(writesIn(stage.log)).toEqual([])
  expect(problems.map(({ code }) => code)).toEqual(['budget_exhausted', 'incomplete_input'])
})

test('a page that came twice is counted once, and the rows are partial', async () => {
  stage.script = repeats
  const { results, problems } = await stage.run('Task.aggregate(n=count)')
  expect(results[0]).toMatchObject({ partial: 'failed', rows: [{ n: 3 }] })
  expect(problems.map(({ code }) => code)).toEqual(['page_repeated'])
  expect((await stage.run('Task => _.update(points=1)')).problems.map(({ code }) => code)).toContain(
    'incomplete_input',
  )
  expect(writesIn(stage.log)).toEqual([])
})

test('rows that could not be read do not vanish from a count', async () => {
  stage.script = (request) =>
    request.includes('page=1&') ? { body: { tasks: [{ id: 1, points: 5 }, []] } } : undefined
  const { results } = await stage.run('Task.aggregate(n=count)')
  expect(results[0]?.partial).toBe('failed')
})
