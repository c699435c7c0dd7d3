/** Names of what nobody should read in a log, wherever they stand in a longer name. */
const SECRET =
  /authorization|cookie|secret|password|passwd|credential|private[-_]?key|api[-_]?key|(?:access|refresh|bearer|id)[-_]?token|^token$/i

/** What is known of names: ours are few; beyond so many, none is kept. */
const KNOWN = new Map<string, boolean>()
const MOST_KNOWN = 500

function isSecret(name: string): boolean {
  const known = KNOWN.get(name)
  if (known !== undefined) return known
  const found = SECRET.test(name)
  if (KNOWN.size < MOST_KNOWN) KNOWN.set(name, found)
  return found
}

const REDACTED = '[redacted]'
/** Deeper than this nothing of ours goes. */
const DEPTH = 4

/** A value without what secret-like names hold, at every depth. */
export function redact(value: unknown, depth = DEPTH): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '[deep]'
  if (Array.isArray(value)) return value.map((item) => redact(item, depth - 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [name, isSecret(name) ? REDACTED : redact(held, depth - 1)]),
  )
}

/** A text without the credentials that messages of libraries may quote: bearer tokens, and passwords in URLs. */
export function redactText(text: string): string {
  return text
    .replaceAll(/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${REDACTED}`)
    .replaceAll(/(\w+:\/\/[^\s/:@]*):[^\s/@]+@/g, `$1:${REDACTED}@`)
}
