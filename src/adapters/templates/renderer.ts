import type { Rendered, TemplateJob, TemplateRenderer } from '../../execution/template.ts'
import { type JobLimits, JobThread } from '../threads/job-thread.ts'

/** A renderer with a thread to end. */
export interface ThreadRenderer {
  readonly render: TemplateRenderer
  readonly shutDown: () => Promise<void>
}

const DEFAULT_LIMITS: JobLimits = { timeoutMs: 1000, heapMb: 256 }

/** Renders templates in a thread of their own, one at a time and each within the limits. */
export function threadRenderer(limits: JobLimits = DEFAULT_LIMITS): ThreadRenderer {
  const thread = new JobThread<TemplateJob, Rendered>(new URL('./worker.js', import.meta.url), limits)
  return {
    render: async (job) => {
      let rendered: Rendered = { reason: 'it gives no text' }
      const end = await thread.run(job, (outcome) => (rendered = outcome))
      switch (end.kind) {
        case 'done':
          return rendered
        case 'too_slow':
          return { reason: `it takes longer than ${limits.timeoutMs} ms` }
        case 'out_of_memory':
          return { reason: `it needs more than ${limits.heapMb} MiB of memory` }
        case 'failed':
          throw end.error
      }
    },
    shutDown: () => thread.shutDown(),
  }
}
