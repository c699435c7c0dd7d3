import { flowsOf } from '../../language/plan/flows.ts'
import { pagesIn } from '../../language/syntax/pages.ts'
import { parse } from '../../language/syntax/parse.ts'
import type { EngineCall } from '../call.ts'
import { type LiveSession, planIn } from '../session/live-session.ts'
import type { PageHandles } from './page-handles.ts'

/** Longer programs take milliseconds to read: a caller's programs that arrive together are read in turns. */
const LONG = 4096

/**
 * The plan of a program in a session, or every problem with the text that shows each at its place. A program that names page
 * handles is checked with what the store keeps of those pages: their entity, their columns, and the catalogs of their rows.
 */
export async function checkedPlan(
  call: EngineCall,
  session: LiveSession,
  program: string,
  handles: PageHandles,
): Promise<ReturnType<typeof planIn>> {
  if (program.length > LONG) await call.pause()
  const named = program.includes('page') ? pagesIn(parse(program).program) : []
  if (named.length === 0) return planIn(session, call, program)
  const pages = await handles.kept(named)
  const known = planIn(session, call, program, pages)
  if (!known.ok) return known
  const catalogs = new Map([...pages].map(([handle, page]) => [handle, page.catalogs]))
  return { ok: true, plan: { ...known.plan, ...flowsOf(known.plan.nodes, catalogs) } }
}
