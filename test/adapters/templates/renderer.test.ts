import { afterAll, expect, test } from 'vitest'
import { threadRenderer } from '../../../src/adapters/templates/renderer.ts'

const { render, shutDown } = threadRenderer({ timeoutMs: 1000, heapMb: 64 })
afterAll(shutDown)

const CELL = 'a b,c '.repeat(5000)
const SLOW = '{% for c in rows[0].b|list %}{{ rows[0].b|list|sort|unique|length }}{% endfor %}'

test('renders rows', async () => {
  const template = '{% for r in rows %}{{ r.b }};{% endfor %}'
  expect(await render({ template, rows: [{ b: 1 }, { b: 'x' }], fuel: 1000 })).toEqual({ text: '1;x;' })
})

test('gives the reason of the engine', async () => {
  expect(await render({ template: '{{ rows[0].c.d }}', rows: [{ b: 1 }], fuel: 1000 })).toMatchObject({
    reason: expect.stringContaining('undefined'),
  })
})

test('ends a template that takes too long, keeps this thread free, and renders the next one', async () => {
  let turns = 0
  const ticking = setInterval(() => turns++, 10)
  const slow = render({ template: SLOW, rows: [{ b: CELL }], fuel: 1_000_000 })
  const next = render({ template: '{{ rows|length }}', rows: [1, 2], fuel: 1000 })
  expect(await slow).toEqual({ reason: 'it takes longer than 1000 ms' })
  expect(await next).toEqual({ text: '2' })
  clearInterval(ticking)
  expect(turns).toBeGreaterThan(20)
})
