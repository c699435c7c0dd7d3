import { expect, test } from 'vitest'
import { JobThread } from '../../../src/adapters/threads/job-thread.ts'
import type { Rendered, TemplateJob } from '../../../src/execution/template.ts'

test('a thread that cannot be started fails its job, and the next job starts one', async () => {
  const script = new URL('https://example.com/worker.js')
  const thread = new JobThread<TemplateJob, Rendered>(script, { timeoutMs: 20_000, heapMb: 64 })
  const parts: Rendered[] = []
  const job = { template: '{{ rows|length }}', rows: [1, 2], fuel: 1000 }
  const run = () => thread.run(job, (part) => void parts.push(part))
  expect(await run()).toMatchObject({ kind: 'failed', error: { code: 'ERR_INVALID_URL_SCHEME' } })
  script.href = new URL('../../../dist/src/adapters/templates/worker.js', import.meta.url).href
  expect(await run()).toEqual({ kind: 'done' })
  expect(parts).toEqual([{ text: '2' }])
  await thread.shutDown()
})
