import { flowsOf } from '../../language/plan/flows.ts'
import type { Plan } from '../../language/plan/plan.ts'
import type { Call } from '../call.ts'
import { type LiveSession, planIn } from '../session/live-session.ts'
import type { PageHandles } from './page-handles.ts'

/**
 * The plan of a program in a session, or every problem with the text that shows each at its place. A program that names page
 * handles is checked again with what the store keeps of those pages: their columns, and the catalogs that their rows came from.
 */
export async function checkedPlan(
  call: Call,
  session: LiveSession,
  program: string,
  handles: PageHandles,
): Promise<ReturnType<typeof planIn>> {
  const open = planIn(session, call, program)
  const named = open.ok ? handlesIn(open.plan) : []
  if (named.length === 0) return open
  const pages = await handles.kept(named)
  const known = planIn(session, call, program, pages)
  if (!known.ok) return known
  const catalogs = new Map([...pages].map(([handle, { entity }]) => [handle, entity.catalog]))
  return { ok: true, plan: { ...known.plan, ...flowsOf(known.plan.nodes, catalogs) } }
}

function handlesIn({ nodes }: Plan): readonly string[] {
  return nodes.flatMap(({ operation }) => (operation.kind === 'page' ? [operation.handle] : []))
}
