import type { Problem } from '../base/diagnostic.ts'
import { Sliced } from '../base/slices/sliced.ts'
import { checking } from './check/check.ts'
import type { Scope } from './check/model/scope.ts'
import type { Plan } from './plan/plan.ts'
import { planOf } from './plan/planner.ts'
import { withTriedFixes } from './repair.ts'
import { parsing } from './syntax/parse.ts'

/** A program as it was read: its plan, or all its problems. */
export type ProgramRead =
  { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly problems: readonly Problem[] }

/** Compiles a program's text to a plan, or gives all its problems. Pure; no API is called. */
export function readProgram(text: string, scope: Scope): ProgramRead {
  return new Sliced(readingProgram(text, scope)).whole()
}

/**
 * The same in steps.
 *
 * @yields after each step, of a few milliseconds for the longest program
 */
export function* readingProgram(text: string, scope: Scope): Generator<void, ProgramRead> {
  const read = yield* checked(text, scope)
  if ('plan' in read) return { ok: true, plan: read.plan() }
  const reread = function* (candidate: string) {
    const again = yield* checked(candidate, scope)
    return 'plan' in again ? [] : again.problems
  }
  return { ok: false, problems: yield* withTriedFixes(text, read.problems, reread) }
}

function* checked(
  text: string,
  scope: Scope,
): Generator<void, { readonly plan: () => Plan } | { readonly problems: readonly Problem[] }> {
  const { program, problems } = yield* parsing(text)
  yield
  if (problems.length > 0) return { problems }
  const result = yield* checking(program, scope)
  yield
  return result.problems.length > 0 ? { problems: result.problems } : { plan: () => planOf(result.checked) }
}
