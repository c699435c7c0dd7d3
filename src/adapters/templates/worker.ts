import { renderTemplate } from '../../execution/steps/template/template.ts'
import type { Rendered, TemplateJob } from '../../execution/template.ts'
import { serveJobs } from '../threads/serve-jobs.ts'

/** The thread of `threadRenderer`. */
serveJobs<TemplateJob, Rendered>(({ template, rows, fuel }) => [renderTemplate(template, { rows }, fuel)])
