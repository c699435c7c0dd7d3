import { Pace } from '../../base/slices/pace.ts'
import { Sliced } from '../../base/slices/sliced.ts'
import type { Scope } from '../../language/check/model/scope.ts'
import { flowsOf } from '../../language/plan/flows.ts'
import { pagesIn } from '../../language/syntax/pages.ts'
import { parsing } from '../../language/syntax/parse.ts'
import type { EngineCall } from '../call.ts'
import { type LiveSession, type Planned, planIn } from '../session/live-session.ts'
import type { PageHandles } from './page-handles.ts'

/** Longer programs take milliseconds to read: in slices, and programs that arrive together in turns. */
const LONG = 1024

/**
 * The plan of a program in a session, or every problem with the text that shows each at its place. A program that names page
 * handles is checked with what the store keeps of those pages: their entity, their columns, and the catalogs of their rows.
 */
export async function checkedPlan(
  call: EngineCall,
  session: LiveSession,
  program: string,
  handles: PageHandles,
): Promise<Planned> {
  const pace = new Pace(call.clock, call.pause)
  const isLong = program.length > LONG
  const made = async <Made>(steps: Iterator<void, Made>) =>
    isLong ? pace.made(steps) : new Sliced(steps).whole()
  const planned = (pages?: Scope['pages']) => made(planIn(session, call, program, pages))
  if (isLong) await pace.rest()
  const named = program.includes('page') ? pagesIn((await made(parsing(program))).program) : []
  if (named.length === 0) return planned()
  const pages = await handles.kept(named)
  const known = await planned(pages)
  if (!known.ok) return known
  const catalogs = new Map([...pages].map(([handle, page]) => [handle, page.catalogs]))
  return { ok: true, plan: { ...known.plan, ...flowsOf(known.plan.nodes, catalogs) } }
}
