import type { Problem } from '../base/diagnostic.ts'
import { check } from './check/check.ts'
import type { Scope } from './check/model/scope.ts'
import type { Plan } from './plan/plan.ts'
import { planOf } from './plan/planner.ts'
import { parse } from './syntax/parse.ts'

/** Compiles a program's text to a plan, or gives all its problems. Pure; no API is called. */
export function readProgram(
  text: string,
  scope: Scope,
):
  { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly problems: readonly Problem[] } {
  const { program, problems } = parse(text)
  if (problems.length > 0) return { ok: false, problems }
  const result = check(program, scope)
  return result.problems.length > 0
    ? { ok: false, problems: result.problems }
    : { ok: true, plan: planOf(result.checked) }
}
