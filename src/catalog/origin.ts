/**
 * The origin in a text, with an optional base path: `https://api.example.com/v1`, without a trailing slash. Undefined for
 * anything else: other schemes, a user, a query, a fragment, dot segments, white space.
 */
export function parseOrigin(text: string): string | undefined {
  const trimmed = text.trim()
  if (/[\s\\]/.test(trimmed) || !URL.canParse(trimmed)) return undefined
  const url = new URL(trimmed)
  const plain = !url.username && !url.password && !url.search && !url.hash && !/[?#]$/.test(trimmed)
  const dotted = /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(trimmed)
  return plain && !dotted && /^https?:$/.test(url.protocol) ? trimmed.replace(/\/+$/, '') : undefined
}
