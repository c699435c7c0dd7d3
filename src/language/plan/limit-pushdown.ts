import type { Draft } from './drafts.ts'

/**
 * Merges a limit into the read before it if no other step uses that read: the read then stops asking for pages. It takes
 * the limit's place and label.
 */
export function pushDownLimits(drafts: readonly Draft[]): void {
  for (const draft of drafts) {
    const [source] = draft.inputs
    if (draft.operation.kind !== 'limit' || !source) continue
    const read = representativeOf(source)
    if (read.uses !== 1) continue
    if (read.operation.kind !== 'query' && read.operation.kind !== 'relation') continue
    read.readOptions.limit = Math.min(
      draft.operation.count,
      read.readOptions.limit ?? Number.POSITIVE_INFINITY,
    )
    read.label = draft.label ?? read.label
    // Steps that used the limit now use the read.
    read.uses = draft.uses
    draft.mergedInto = read
  }
}

/** The draft that replaces this one. */
export function representativeOf(draft: Draft): Draft {
  return draft.mergedInto ?? draft
}
