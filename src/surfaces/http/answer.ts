/** On every answer. Nothing here is a page, and nothing may be kept by a cache on the way. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

/** Answers that bear the headers from the start: as a plain object they cost a tenth of what setting them costs. */
const BEARING = new WeakSet<Response>()

/** An answer of this surface. */
export function answer(
  body: string | ReadableStream<Uint8Array> | null,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const made = new Response(body, { status, headers: { ...HEADERS, ...headers } })
  BEARING.add(made)
  return made
}

/** A value as the JSON of an answer. */
export function jsonAnswer(
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return answer(JSON.stringify(value), status, { 'content-type': 'application/json', ...headers })
}

/** Gives the headers to an answer that somebody else made. */
export function bearHeaders(response: Response): void {
  if (BEARING.has(response)) return
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value)
}
