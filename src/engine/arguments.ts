import type { z } from 'zod'
import type { Problem } from '../base/diagnostic.ts'
import { engineProblem } from './problems.ts'

/** A validator's complaints as problems: one an argument, by its path; at most ten. */
export function argumentProblems(error: z.ZodError): Problem[] {
  return error.issues.slice(0, 10).map((issue) => {
    const path = issue.path
      .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
      .join('')
      .replace(/^\./, '')
    return engineProblem(
      'bad_arguments',
      // JSON has no `undefined`.
      {
        wanted: `${path || 'arguments'}: ${issue.message.replace('received undefined', 'and it is missing')}`,
      },
      path ? { path } : {},
    )
  })
}
