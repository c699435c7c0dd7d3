import { parentPort } from 'node:worker_threads'
import { renderTemplate } from '../../execution/steps/template/template.ts'
import type { TemplateJob } from '../../execution/template.ts'

/** The thread of `threadRenderer`: renders one job at a time. */
parentPort?.on('message', ({ template, rows, fuel }: TemplateJob) => {
  parentPort?.postMessage(renderTemplate(template, { rows }, fuel))
})
