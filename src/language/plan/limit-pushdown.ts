import type { Draft } from './drafts.ts'

/**
 * A limit right behind a read that nobody else uses becomes the read's own: it then stops asking for pages. The read takes
 * the limit's place, label and all.
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
    // Whoever used the limit now uses the read.
    read.uses = draft.uses
    draft.mergedInto = read
  }
}

/** The draft that does the work of this one. */
export function representativeOf(draft: Draft): Draft {
  return draft.mergedInto ?? draft
}
