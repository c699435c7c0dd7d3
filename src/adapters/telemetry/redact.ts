/** Words that mark the name of a secret, anywhere in a longer name. */
const SECRET =
  /authorization|cookie|secret|password|passwd|credential|private[-_]?key|api[-_]?key|(?:access|refresh|bearer|id)[-_]?token|^token$/i

/** Cached decisions by name. We use few names; beyond this number none is cached. */
const KNOWN = new Map<string, boolean>()
const MAX_KNOWN = 500

function isSecret(name: string): boolean {
  const known = KNOWN.get(name)
  if (known !== undefined) return known
  const found = SECRET.test(name)
  if (KNOWN.size < MAX_KNOWN) KNOWN.set(name, found)
  return found
}

const REDACTED = '[redacted]'
/** No event of ours is nested deeper. */
const DEPTH = 4

/** Replaces the values of secret-like names, at every depth. */
export function redact(value: unknown, depth = DEPTH): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '[deep]'
  if (Array.isArray(value)) return value.map((item) => redact(item, depth - 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [name, isSecret(name) ? REDACTED : redact(held, depth - 1)]),
  )
}

/** Removes credentials that error messages of libraries may quote: bearer tokens, and passwords in URLs. */
export function redactText(text: string): string {
  return text
    .replaceAll(/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${REDACTED}`)
    .replaceAll(/(\w+:\/\/[^\s/:@]*):[^\s/@]+@/g, `$1:${REDACTED}@`)
}
