import type { Draft } from './drafts.ts'
import { representativeOf } from './limit-pushdown.ts'

/** Marks the gets that need no call: the program writes the key of the row, and relations alone use it, by its key alone. */
export function leaveUnread(all: readonly Draft[]): void {
  const users = new Map<Draft, Draft[]>()
  for (const draft of all) {
    if (draft.mergedInto) continue
    for (const input of draft.inputs) {
      const used = representativeOf(input)
      users.set(used, [...(users.get(used) ?? []), draft])
    }
  }
  for (const [draft, own] of users)
    if (own.every((user) => walksByValues(user, draft)) && isKeyAlone(draft)) draft.readOptions.unread = true
}

/** Whether a draft follows a relation from the rows of another, by what it binds of them. */
function walksByValues({ node, operation }: Draft, source: Draft): boolean {
  return (
    node.kind === 'relation' &&
    'bindings' in node.relation.via &&
    operation.kind === 'relation' &&
    operation.source === source.id
  )
}

function isKeyAlone({ node, needs, whole }: Draft): boolean {
  if (node.kind !== 'get' || whole) return false
  const given = new Set(node.identity.map(({ slot }) => slot.name))
  const key = node.rows.target?.entity.key ?? []
  return (
    key.length > 0 &&
    key.every((name) => given.has(name)) &&
    [...(needs ?? [])].every((name) => given.has(name))
  )
}
