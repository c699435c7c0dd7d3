import type { ListSessionsResponse, SessionInfo } from '@agentclientprotocol/sdk'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { Conversation } from '../../engine/index.ts'
import { headOf } from './head.ts'
import type { AcpParts } from './parts.ts'
import { acpProblem } from './problems.ts'
import type { ListParams } from './requests.ts'
import { readRoots } from './roots.ts'

/** Sessions of one page, and conversations read at once. */
const PAGE = 50

/**
 * `session/list`: newest first; those never prompted too. A session keeps its place, so pages are stable while sessions are
 * added. Gives `path_relative` or `bad_cursor`.
 */
export async function listSessions(
  { conversations, caller }: AcpParts,
  { cwd, cursor }: ListParams,
): Promise<Result<ListSessionsResponse>> {
  const roots = typeof cwd === 'string' ? readRoots({ cwd }) : undefined
  if (roots && !roots.ok) return roots
  let below = typeof cursor === 'string' ? readCursor(cursor) : null
  if (below === undefined) return failed([acpProblem('bad_cursor', {})])
  const sessions: SessionInfo[] = []
  for (;;) {
    const page = await conversations.list(caller, below, PAGE)
    for (const conversation of page) {
      below = conversation.number
      const info = infoOf(conversation)
      if (typeof cwd === 'string' && info.cwd !== cwd) continue
      sessions.push(info)
      if (sessions.length === PAGE) return ok({ sessions, nextCursor: cursorOf(below) })
    }
    if (page.length === 0) return ok({ sessions })
  }
}

function infoOf({ id, head, updatedAt }: Conversation): SessionInfo {
  const { cwd, additionalDirectories, title, intent } = headOf(head)
  return {
    sessionId: id,
    cwd,
    additionalDirectories,
    ...(title !== undefined && { title }),
    updatedAt: new Date(updatedAt).toISOString(),
    _meta: { plasmid: { intent } },
  }
}

function cursorOf(number: number): string {
  return Buffer.from(`below ${number}`).toString('base64url')
}

function readCursor(cursor: string): number | undefined {
  const read = /^below (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())
  return read?.[1] === undefined ? undefined : Number(read[1])
}
