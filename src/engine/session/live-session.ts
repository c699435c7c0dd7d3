import { visibilityOf } from '../../access/caller.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import type { CatalogSet } from '../../catalog/lookup.ts'
import { foreseenProblems } from '../../execution/foreseen.ts'
import { problem as executionProblem } from '../../execution/problems.ts'
import { templateProblem } from '../../execution/steps/template/template.ts'
import type { Owner } from '../entry-store.ts'
import { aboutOf, explainProblems } from '../../language/explain.ts'
import type { Scope } from '../../language/check/model/scope.ts'
import type { Plan } from '../../language/plan/plan.ts'
import { readingProgram } from '../../language/program.ts'
import { readRef, shortRef } from '../../session/identity.ts'
import { isNewer, type SessionRecord } from '../../session/record.ts'
import { isLive } from '../../session/reuse.ts'
import { rowsAbout } from '../../teaching/rows.ts'
import { problemText } from '../reply/answer.ts'
import type { Derived } from '../memory/models.ts'
import type { EngineCall } from '../call.ts'
import { withoutPlace } from './admit.ts'
import { goneFrom } from './gone.ts'
import { principalKeyOfRef, refFor } from './principal.ts'
import { engineProblem } from '../problems.ts'
import { taughtTo } from './taught.ts'

/** The most characters of teaching rows that are repeated behind problems. */
const ROWS_SHOWN = 1200

/** A live session as one call of one caller sees it. */
export interface LiveSession {
  readonly record: SessionRecord
  /** `s0`: the caller's own name for it, as programs write it in page handles. */
  readonly ref: string
  /** Its ref in answers: the same, or the long form where short names do not work. */
  readonly shownRef: string
  readonly owner: Owner
  readonly derived: Derived
  /** On the store's clock, in milliseconds. */
  readonly now: number
}

/** The session behind a ref. An unknown ref and another caller's are the same miss; an expired row runs nothing. */
export async function liveSession(call: EngineCall, rawRef: string): Promise<Result<LiveSession>> {
  const { caller, store, models, catalogs } = call
  const path = 'logical_session_ref'
  const ref = readRef(rawRef)
  if (!ref) return failed([engineProblem('bad_ref', { ref: rawRef.trim().slice(0, 40) }, { path })])
  const principal = principalKeyOfRef(caller, ref)
  const { record, ordinal, now } = await store.findByRef(principal, ref)
  if (!record || ordinal === null)
    return failed([engineProblem('unknown_session', { ref: rawRef.trim() }, { path })])
  if (isNewer(record)) return failed([engineProblem('session_newer', {}, { path })])
  call.watch.about(record)
  if (!isLive(record.row, now))
    return failed([
      engineProblem('session_expired', { ref: refFor(caller, ordinal, record.address) }, { path }),
    ])
  const derived = await models.derive(record.waves, catalogs.current())
  if (!derived.ok) return derived
  return ok({
    record,
    ref: shortRef(ordinal),
    shownRef: refFor(caller, ordinal, record.address),
    owner: { address: record.address, principal },
    derived: derived.value,
    now,
  })
}

/** A plan with the session that its program was checked in. */
export interface SessionPlan {
  readonly session: LiveSession
  readonly plan: Plan
}

/** A plan, or every problem and the text that shows each at its place. */
export type Planned =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly text: string }

/**
 * The plan of a program in a session. What is not served any more is a problem of the program, so that nothing of it is sent.
 *
 * @yields after each step, of a few milliseconds for the longest program
 */
export function* planIn(
  session: LiveSession,
  call: Pick<EngineCall, 'caller' | 'scope' | 'catalogs' | 'effectPolicy'>,
  program: string,
  pages: Scope['pages'] = new Map(),
): Generator<void, Planned> {
  if (program.trim() === '') {
    const problems = [engineProblem('missing_program', {}, { path: 'program' })]
    return { ok: false, problems, text: problemText(problems) }
  }
  const { caller, scope: place, catalogs } = call
  const scope = {
    space: session.derived.spaceOf(session.record.waves),
    model: session.derived.model,
    allows: visibilityOf(caller).allows,
    ref: session.ref,
    now: session.now,
    pages,
  }
  const read = yield* readingProgram(program, scope)
  yield
  const problems = read.ok
    ? [
        ...goneFrom(catalogs.current(), session.derived, read.plan),
        ...placelessIn(catalogs.current(), place, read.plan),
        ...templateProblems(read.plan),
        ...pageProblems(read.plan, pages),
        ...foreseenProblems(read.plan, session.derived.model),
      ]
    : read.problems
  if (read.ok && problems.length === 0) return read
  const taught = { ...scope, allows: taughtTo(call).allows }
  const rows = rowsAbout(taught, aboutOf(problems), ROWS_SHOWN)
  return { ok: false, problems, text: `${explainProblems(program, problems, rows)}\n` }
}

/** What a plan would call and can only be called in a workspace, where the call has none: each catalog once. */
function placelessIn(set: CatalogSet, place: EngineCall['scope'], { nodes }: Plan): Problem[] {
  const called = new Set(nodes.flatMap(({ entity }) => (entity ? [entity.catalog] : [])))
  return [...called].flatMap((id) => {
    const served = set.byId.get(id)?.catalog
    const problem = served && withoutPlace(place, served)
    return problem ? [problem] : []
  })
}

/** The pages that a plan names and the session does not keep. */
function pageProblems({ nodes }: Plan, kept: NonNullable<Scope['pages']>): Problem[] {
  return nodes.flatMap(({ operation, span }) =>
    operation.kind === 'page' && !kept.has(operation.handle)
      ? [executionProblem('page_unknown', { handle: operation.handle }, { span })]
      : [],
  )
}

/** The problems of a plan's templates, so that a review refuses what a run would refuse. */
function templateProblems(plan: Plan): Problem[] {
  return plan.nodes.flatMap(({ operation, span }) => {
    const problem = operation.kind === 'render' ? templateProblem(operation.template) : undefined
    return problem ? [{ ...problem, span }] : []
  })
}
