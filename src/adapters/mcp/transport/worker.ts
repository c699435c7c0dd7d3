import { type Part, partsOf } from '../../../base/slices/parts.ts'
import { giveWay, serveJobs } from '../../threads/serve-jobs.ts'
import { type Parsed, parseJson } from '../../wire/json.ts'

/** A value in parts, or why a text is not JSON. */
export type LinePart = Part | Exclude<Parsed, { readonly value: unknown }>

/** The thread of `parseInThread`. */
giveWay()
serveJobs<string, LinePart>((line) => {
  const parsed = parseJson(line)
  return 'value' in parsed ? partsOf(parsed.value) : [parsed]
})
