import type { Fix } from '../../base/diagnostic.ts'

/**
 * The text after the fix. Edits are applied in the order of their offsets, and at one offset in the given order; an edit
 * that overlaps an earlier one is skipped.
 */
export function applyFix(text: string, fix: Fix): string {
  const sorted = fix.edits.toSorted((a, b) => a.span.start - b.span.start)
  let repaired = ''
  let at = 0
  for (const { span, text: put } of sorted) {
    if (span.start < at || span.end < span.start || span.end > text.length) continue
    repaired += text.slice(at, span.start) + put
    at = span.end
  }
  return repaired + text.slice(at)
}
