import { giveWay, serveJobs } from '../../threads/serve-jobs.ts'
import { type Part, partsOf } from '../../../base/slices/parts.ts'
import { type AnswerBody, type AnswerRead, readHere } from './read.ts'

/** A value in parts, or a body that cannot be read. */
export type AnswerPart = Part | Exclude<AnswerRead, { readonly value: unknown }>

/** A thread of `AnswerReader`. */
giveWay()
serveJobs<AnswerBody, AnswerPart>((body) => {
  const read = readHere(body)
  return 'value' in read ? partsOf(read.value) : [read]
})
