import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openStage, type Stage } from './tasks-stage.ts'

/* Links to next pages that lead away or back: reading ends there, and no handle says that it goes on. */

let stage: Stage
beforeAll(async () => void (stage = await openStage()))
afterAll(() => stage.close())
beforeEach(() => void stage.log.splice(0))

const notes = (ids: readonly number[], next: string) => ({
  body: { notes: ids.map((id) => ({ id, text: `Note ${id}` })), next },
})

test('a next link that is refused leaves no handle', async () => {
  stage.script = () => notes([1, 2], 'https://elsewhere.example/notes?page=2')
  const { results, problems } = await stage.run('Note')
  expect(problems.map(({ code }) => code)).toEqual(['next_page_refused'])
  expect(results).toEqual([
    expect.objectContaining({ partial: 'failed', rows: [expect.anything(), expect.anything()] }),
  ])
  expect(results[0]?.next_page).toBeUndefined()
})

test('a handle that gives the same page twice ends', async () => {
  // The link differs each time and leads to the same rows.
  let count = 0
  stage.script = () => notes([1, 2], `${stage.origin}/v1/notes?cursor=${++count}`)
  const first = await stage.run('Note')
  const handle = first.results[0]?.next_page
  expect(handle).toBeDefined()
  const second = await stage.run(`page(${handle})`)
  expect(second.problems.map(({ code }) => code)).toEqual(['page_repeated'])
  expect(second.text).not.toContain('more pages available')
  expect(second.results.flatMap(({ rows }) => rows)).toEqual([])
})

test('pages that alternate end as well', async () => {
  let count = 0
  stage.script = () => notes(++count % 2 === 0 ? [3, 4] : [1, 2], `${stage.origin}/v1/notes?cursor=${count}`)
  let ran = await stage.run('Note')
  for (let page = 0; page < 4 && ran.results[0]?.next_page; page++)
    ran = await stage.run(`page(${ran.results[0].next_page})`)
  expect(ran.problems.map(({ code }) => code)).toEqual(['page_repeated'])
})

test('columns of a page are those that its handle keeps', async () => {
  stage.script = () => notes([1, 2], `${stage.origin}/v1/notes?cursor=2`)
  const { results } = await stage.run('Note[id]')
  stage.log.splice(0)
  const { status, text } = await stage.run(`page(${results[0]?.next_page})[text]`)
  expect([status, stage.log]).toEqual([400, []])
  expect(text).toContain('unknown_field')
  expect((await stage.run(`page(${results[0]?.next_page})[titel]`)).text).toContain('unknown_field')
})

test.each([
  ['page(%) => _.delete()', [4, 5, 6]],
  ['rows = page(%)\nrows => _.delete()', [4, 5, 6]],
  ['rows = page(%).limit(1).singleton()\nrows.delete()', [4]],
])('%s changes the rows of that page', async (program, deleted) => {
  stage.script = () => undefined
  const { results } = await stage.run('Task')
  const handle = results[0]?.next_page ?? ''
  stage.log.splice(0)
  // The short form names the same page.
  for (const name of [handle, handle.replace('s0_', '')]) {
    const ran = await stage.run(program.replace('%', name))
    expect(ran.effects.map(({ row, state }) => `${row} ${state}`)).toEqual(
      deleted.map((_, at) => `${at + 1} done`),
    )
    expect(stage.log.splice(0)).toEqual([
      'GET /v1/tasks?page=2&per_page=3',
      ...deleted.map((id) => `DELETE /v1/tasks/${id}`),
    ])
  }
  const refused = await stage.run(`page(${handle}) => _.destroy()`)
  expect([refused.status, stage.log]).toEqual([400, []])
  expect(refused.text).toContain('unknown_step')
})
