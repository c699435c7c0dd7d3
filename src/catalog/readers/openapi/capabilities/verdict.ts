import type { Json } from '../../../../base/canonical.ts'
import { wordsOf } from '../../../../base/words/names.ts'
import type { Verdict } from '../../../calls/http-request.ts'
import type { Use } from '../entities/draft.ts'
import type { Schemas } from '../schema/schemas.ts'
import type { View } from '../schema/view.ts'

const FLAG = /^(?:is_?)?(?:success(?:ful)?|succeeded|ok)$/i
const STATE = /^(?:status|result|outcome)$/i
const DONE = /^(?:success|succeeded|ok)$/i
const FAILED = /^(?:error|fail|failed|failure)$/i
/** Words of members that say what went wrong. */
const REASONS = new Set(['error', 'errors', 'message', 'messages', 'msg', 'reason'])

/**
 * The member of an answer that says whether the call was done. Around rows, and where no row is answered, it speaks of the
 * call; in a row it does so only after a write, beside a reason, and where the row has no id.
 */
export function verdictOf({ placed, effect, showsRows }: Use, schemas: Schemas): Verdict | undefined {
  const { answer } = placed
  const [root = answer.view] = answer.around
  const members = schemas.properties(root)
  if (members.size === 0) {
    const isUndeclared = answer.form === 'anything' && !answer.isList && effect === 'write'
    return isUndeclared ? { path: ['success'], failures: [false] } : undefined
  }
  const names = [...members.keys()]
  const hasReason = names.some((name) => wordsOf(name).some((word) => REASONS.has(word)))
  const isRow = showsRows && answer.path.length === 0
  if (isRow && (effect === 'read' || !hasReason || names.includes('id'))) return undefined
  for (const [name, schema] of members) {
    const failures = failuresOf(name, schemas.view(schema))
    // A state without a reason may be one of what was changed.
    if (failures.length > 0 && (failures.includes(false) || (hasReason && !isRow)))
      return { path: [name], failures }
  }
  return undefined
}

/** The values of a member that say that a call was not done. */
function failuresOf(name: string, { types, options = [] }: View): readonly Json[] {
  if (types.length === 1 && types[0] === 'boolean') return FLAG.test(name) ? [false] : []
  if (!STATE.test(name) || !options.some((one) => isWord(one, DONE))) return []
  return options.filter((one) => isWord(one, FAILED))
}

function isWord(option: Json, pattern: RegExp): boolean {
  return typeof option === 'string' && pattern.test(option)
}
