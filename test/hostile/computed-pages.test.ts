import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openStage, type Stage, writesIn } from './tasks-stage.ts'

/* Computed rows that an answer has no room for: the rest is behind a page handle, which keeps what the rows are and lack. */

const ALL = 120
/** Forty a page; the fewer points, the later it stands. */
const page = (number: number) =>
  Array.from({ length: Math.max(0, Math.min(40, ALL - (number - 1) * 40)) }, (_, index) => {
    const id = (number - 1) * 40 + index + 1
    return { id, title: `Task ${id}`, points: 1000 - id, owner: 'ada' }
  })

let stage: Stage
beforeAll(async () => void (stage = await openStage(['--effects', '*=allow'])))
afterAll(() => stage.close())
beforeEach(() => {
  stage.log.splice(0)
  stage.script = (request) => {
    const number = /^GET \/v1\/tasks\?page=(\d+)/.exec(request)?.[1]
    return number === undefined ? undefined : { body: { tasks: page(Number(number)) } }
  }
})

const handleIn = (text: string) => /`page\((s0_pg\d+)\)`/.exec(text)?.[1] ?? ''
const idsIn = (text: string) => [...text.matchAll(/^(\d+)\tTask/gm)].map(([, id]) => Number(id))

test('sorted rows are read on, page by page, without another call', async () => {
  const first = await stage.runPlan('Task.sort(points)[id, title]')
  expect(first.text).toContain('(120 rows)')
  // The fields hold all rows: no page comes after them.
  expect([first.results[0]?.rows.length, first.results[0]?.next_page]).toEqual([120, undefined])
  expect(idsIn(first.text)).toEqual(Array.from({ length: 50 }, (_, at) => 120 - at))
  stage.log.splice(0)
  const second = await stage.runPlan(`page(${handleIn(first.text)})`)
  const third = await stage.runPlan(`page(${handleIn(second.text)})`)
  expect([...idsIn(second.text), ...idsIn(third.text)]).toEqual(
    Array.from({ length: 70 }, (_, at) => 70 - at),
  )
  expect(handleIn(third.text)).toBe('')
  expect(stage.log).toEqual([])
  // The same page has the same next page.
  expect((await stage.runPlan(`page(${handleIn(first.text)})`)).text).toBe(second.text)
})

test('its rows are rows of what they were, and its columns are checked', async () => {
  const { text } = await stage.runPlan('Task.sort(points)[id, title]')
  stage.log.splice(0)
  await stage.runPlan(`page(${handleIn(text)}, limit=2) => _.delete()`)
  expect(writesIn(stage.log)).toEqual(['DELETE /v1/tasks/70', 'DELETE /v1/tasks/69'])
  const refused = await stage.runPlan(`page(${handleIn(text)})[owner]`)
  expect(refused.problems.map(({ code }) => code)).toContain('unknown_field')
})

test('groups and other computed rows are read on', async () => {
  const { text } = await stage.runPlan('Task.group_by(points, n=count)')
  const rest = await stage.runPlan(`page(${handleIn(text)})`)
  expect(rest.text).toContain('(70 rows)')
  expect((await stage.runPlan(`page(${handleIn(text)}).aggregate(sum=sum(n))`)).results[0]?.rows).toEqual([
    { sum: 70 },
  ])
})

test('rows of an incomplete read stay marked, and no change is made from them', async () => {
  const sound = stage.script
  stage.script = (request) => (request.includes('?page=3&') ? { status: 500, body: {} } : sound(request))
  const { text } = await stage.runPlan('Task.sort(points)[id, title]')
  const rest = await stage.runPlan(`x = page(${handleIn(text)})\nx => _.delete()`)
  expect(rest.problems.map(({ code }) => code)).toContain('incomplete_input')
  expect(writesIn(stage.log)).toEqual([])
})
