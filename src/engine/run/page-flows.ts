import { flowsOf } from '../../language/plan/flows.ts'
import type { Plan } from '../../language/plan/plan.ts'
import type { Parts } from '../parts.ts'
import type { LiveSession } from '../session/live-session.ts'
import { PageHandles } from './page-handles.ts'

/** The plan with the flows of its page handles: which catalog their rows came from stands in the store, not in the program. */
export async function withPageFlows(parts: Parts, session: LiveSession, plan: Plan): Promise<Plan> {
  const handles = plan.nodes.flatMap(({ operation }) => (operation.kind === 'page' ? [operation.handle] : []))
  if (handles.length === 0) return plan
  const pages = new PageHandles(parts, session)
  const catalogs = new Map<string, string>()
  for (const handle of handles) {
    const continuation = await pages.read(handle)
    if (continuation) catalogs.set(handle, continuation.entity.catalog)
  }
  return { ...plan, ...flowsOf(plan.nodes, catalogs) }
}
