import type { Draft } from './drafts.ts'

/**
 * A limit right behind a read that nobody else uses becomes the read's own: it then stops asking for pages. The read takes
 * the limit's place, label and all.
 */
export function takeLimits(drafts: readonly Draft[], returned: readonly Draft[]): void {
  const uses = new Map<Draft, number>()
  const use = (draft: Draft) => uses.set(draft, (uses.get(draft) ?? 0) + 1)
  for (const { inputs } of drafts) inputs.forEach(use)
  returned.forEach(use)
  for (const draft of drafts) {
    const [source] = draft.inputs
    if (draft.operation.kind !== 'limit' || !source) continue
    const read = runBy(source)
    if (uses.get(read) !== 1) continue
    if (read.operation.kind !== 'query' && read.operation.kind !== 'relation') continue
    read.limit = Math.min(draft.operation.count, read.limit ?? Number.POSITIVE_INFINITY)
    read.label = draft.label ?? read.label
    draft.runBy = read
    // Whoever used the limit now uses the read.
    uses.set(read, uses.get(draft) ?? 0)
  }
}

/** The draft that does the work of this one. */
export function runBy(draft: Draft): Draft {
  return draft.runBy ?? draft
}
