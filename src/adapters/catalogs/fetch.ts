import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { problem } from '../../catalog/problems.ts'

/** The most bytes and time of one document. */
const MOST_BYTES = 50 * 1024 * 1024
const TIMEOUT_MS = 30_000
const MOST_REDIRECTS = 5

/**
 * Fetches a document once, from the address that the operator gives. A secret is sent only if the server asks for one, and only
 * to the origin of that address.
 *
 * Gives `catalog_unreadable` or `catalog_too_large`.
 */
export async function fetchDocument(
  address: string,
  secret: () => Promise<string | undefined>,
): Promise<Result<{ readonly text: string; readonly address: string }>> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    let found = await followed(address, signal, {})
    if (found.response.status === 401 || found.response.status === 403) {
      const held = await secret()
      if (held !== undefined) found = await followed(address, signal, proofOf(held))
    }
    const { response, url } = found
    if (!response.ok) return unreadable(address, `the server answers ${response.status}`)
    const bytes = await bytesOf(response)
    if (bytes === undefined)
      return failed([
        problem('catalog_too_large', { path: address, maxBytes: MOST_BYTES, bytes: MOST_BYTES + 1 }),
      ])
    return ok({ text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), address: url })
  } catch (error) {
    return unreadable(address, reasonOf(error))
  }
}

type Headers = Readonly<Record<string, string>>

/** The usual places of a key: the document that names the right one is not read yet. */
function proofOf(secret: string): Headers {
  return { authorization: `Bearer ${secret}`, 'x-api-key': secret }
}

async function followed(address: string, signal: AbortSignal, proof: Headers) {
  let url = new URL(address)
  const { origin } = url
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const headers = {
      accept: 'application/json, application/yaml, */*',
      ...(url.origin === origin ? proof : {}),
    }
    const response = await fetch(url, { signal, headers, redirect: 'manual' })
    const location = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || location === null)
      return { response, url: url.href }
    await response.body?.cancel()
    url = new URL(location, url)
    if (!/^https?:$/.test(url.protocol)) throw new Error(`it redirects to ${url.protocol}`)
  }
  throw new Error('it redirects too often')
}

/** The whole body; undefined beyond the limit. */
async function bytesOf(response: Response): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > MOST_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function unreadable(path: string, reason: string) {
  return failed([problem('catalog_unreadable', { path, reason, accepted: ['the address of a document'] })])
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'it is not UTF-8'
  if (cause instanceof Error && cause.name === 'TimeoutError')
    return `it took longer than ${TIMEOUT_MS / 1000} seconds`
  return cause instanceof Error ? cause.message : String(cause)
}
