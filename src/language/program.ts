import type { Problem } from '../base/diagnostic.ts'
import { check } from './check/check.ts'
import type { Scope } from './check/model/scope.ts'
import type { Plan } from './plan/plan.ts'
import { planOf } from './plan/planner.ts'
import { withTriedFixes } from './repair.ts'
import { parse } from './syntax/parse.ts'

/** Compiles a program's text to a plan, or gives all its problems. Pure; no API is called. */
export function readProgram(
  text: string,
  scope: Scope,
):
  { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly problems: readonly Problem[] } {
  const read = checked(text, scope)
  if ('plan' in read) return { ok: true, plan: read.plan() }
  const reread = (candidate: string) => {
    const again = checked(candidate, scope)
    return 'plan' in again ? [] : again.problems
  }
  return { ok: false, problems: withTriedFixes(text, read.problems, reread) }
}

function checked(
  text: string,
  scope: Scope,
): { readonly plan: () => Plan } | { readonly problems: readonly Problem[] } {
  const { program, problems } = parse(text)
  if (problems.length > 0) return { problems }
  const result = check(program, scope)
  return result.problems.length > 0 ? { problems: result.problems } : { plan: () => planOf(result.checked) }
}
