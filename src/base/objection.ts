import type { z } from 'zod'
import { oneOf } from './diagnostic.ts'

/** What a value must be, by the name that the validator gives its type. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
])

/**
 * What a validator objects to, as the end of a sentence about a value: `must be a list`, `must be at most 65535`, `is
 * missing`. The message that a schema itself gives is such an end already.
 */
export function objection(issue: z.core.$ZodIssue): string {
  const { message } = issue
  if (/^(?:must|needs|is|are) /.test(message)) return message
  switch (issue.code) {
    case 'invalid_type':
      return message.endsWith('received undefined')
        ? 'is missing'
        : `must be ${KINDS.get(issue.expected) ?? issue.expected}`
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'must not be empty'
        : `must ${verbOf(issue.origin)} at least ${issue.minimum}${thingsOf(issue.origin)}`
    case 'too_big':
      return `must ${verbOf(issue.origin)} at most ${issue.maximum}${thingsOf(issue.origin)}`
    case 'invalid_value':
      return `must be ${oneOf(issue.values.map(String))}`
    case 'invalid_format':
      return issue.format === 'url' ? 'must be an http or https URL' : `is not a valid ${issue.format}`
    case 'invalid_key':
      return issue.issues[0] ? objection(issue.issues[0]) : 'has an invalid name'
    default:
      return 'has the wrong form'
  }
}

function verbOf(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be'
}

function thingsOf(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' ? ' entries' : ''
}
