/**
 * The origin that a text names, possibly with a base path: `https://api.example.com/v1`, without a slash at its end.
 * Undefined for everything else: other schemes, a user, a query, a fragment, white space.
 */
export function parseOrigin(text: string): string | undefined {
  const trimmed = text.trim()
  if (/[\s\\]/.test(trimmed) || !URL.canParse(trimmed)) return undefined
  const url = new URL(trimmed)
  const plain = !url.username && !url.password && !url.search && !url.hash && !/[?#]$/.test(trimmed)
  return plain && /^https?:$/.test(url.protocol) ? trimmed.replace(/\/+$/, '') : undefined
}
