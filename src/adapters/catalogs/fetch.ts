import { bytesUpTo } from '../../base/bounded-bytes.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { hasCode, reasonOf } from '../../base/errors.ts'
import { problem } from '../../catalog/problems.ts'

/** The most bytes and time of one document. */
const MAX_BYTES = 50 * 1024 * 1024
const TIMEOUT_MS = 30_000
const MAX_REDIRECTS = 5

/** Reads a secret; undefined if there is none. */
export type Secret = () => Promise<string | undefined>

/** What a server answers, whatever its status. */
interface Answered {
  readonly status: number
  readonly isOk: boolean
  readonly text: string
  /** The secret went with the request. */
  readonly isProven: boolean
}

/** Why nothing was answered, as a clause: `it redirects too often`. */
interface Silence {
  readonly reason: string
}

/**
 * Fetches a document once, from the address that the operator gives. A secret is sent only if the server asks for one, and only
 * to the origin of that address.
 * Gives `source_locked` or `catalog_unreadable`.
 */
export async function fetchDocument(address: string, secret: Secret): Promise<Result<string>> {
  const accept = 'application/json, application/yaml, */*'
  const answer = await answerOf(address, { headers: { accept } }, secret)
  if ('text' in answer && answer.isOk) return ok(answer.text)
  const locked = 'text' in answer ? lockedProblem(address, answer) : undefined
  if (locked) return failed([locked])
  const reason = 'text' in answer ? `the server answers ${answer.status}` : answer.reason
  return failed([
    problem('catalog_unreadable', { path: address, reason, accepted: ['the address of a document'] }),
  ])
}

/** The problem of a server that asks for a credential, or refuses the one that was sent. */
export function lockedProblem(url: string, { status, isProven }: Answered): Problem | undefined {
  return isLocked(status) ? problem('source_locked', { url, status, isSent: isProven }) : undefined
}

function isLocked(status: number): boolean {
  return status === 401 || status === 403
}

/** Sends JSON to an address, and follows no redirect. A secret is sent only if the server asks for one. */
export function postJson(address: string, body: string, secret: Secret): Promise<Answered | Silence> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  return answerOf(address, { method: 'POST', headers, body }, secret)
}

type Headers = Readonly<Record<string, string>>

interface Wanted {
  readonly method?: 'POST'
  readonly headers: Headers
  readonly body?: string
}

async function answerOf(address: string, wanted: Wanted, secret: Secret): Promise<Answered | Silence> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    let response = await followed(address, { ...wanted, signal }, {})
    let bytes = await bytesUpTo(MAX_BYTES, response.body)
    let isProven = false
    if (isLocked(response.status)) {
      const held = await secret()
      if (held !== undefined) {
        isProven = true
        response = await followed(address, { ...wanted, signal }, proofOf(held))
        bytes = await bytesUpTo(MAX_BYTES, response.body)
      }
    }
    if (bytes === undefined) return { reason: `it answers more than ${MAX_BYTES} bytes` }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { status: response.status, isOk: response.ok, text, isProven }
  } catch (error) {
    return { reason: whyNoAnswer(error) }
  }
}

/** The usual places of a key: the document that names the right one is not read yet. */
function proofOf(secret: string): Headers {
  return { authorization: `Bearer ${secret}`, 'x-api-key': secret }
}

async function followed(address: string, wanted: Wanted & { readonly signal: AbortSignal }, proof: Headers) {
  let url = new URL(address)
  const { origin } = url
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const headers = { ...wanted.headers, ...(url.origin === origin && proof) }
    const response = await fetch(url, { ...wanted, headers, redirect: 'manual' })
    const location = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || location === null) return response
    await response.body?.cancel()
    url = new URL(location, url)
    if (wanted.method === 'POST') throw new Error(`it redirects to ${url.origin}${url.pathname}`)
    if (!/^https?:$/.test(url.protocol)) throw new Error(`it redirects to ${url.protocol}`)
  }
  throw new Error('it redirects too often')
}

function whyNoAnswer(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (hasCode(cause, 'ERR_ENCODING_INVALID_ENCODED_DATA')) return 'it is not UTF-8'
  if (cause instanceof Error && cause.name === 'TimeoutError')
    return `it took longer than ${TIMEOUT_MS / 1000} seconds`
  return reasonOf(cause)
}
