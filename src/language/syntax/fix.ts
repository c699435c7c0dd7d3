import type { Fix } from '../../base/diagnostic.ts'

/**
 * The text after the repair. Edits are applied in the order of their places, those at one place in the order given;
 * an edit that overlaps one before it is left out.
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
