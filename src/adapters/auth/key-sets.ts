import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose'
import { bytesUpTo } from '../../base/bounded-bytes.ts'
import type { Clock } from '../../base/clock.ts'
import { reasonOf } from '../../base/errors.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { KeptFile } from './kept-file.ts'
import { authProblem } from './problems.ts'
import type { KeySet } from './tokens.ts'
import { AuthUnavailable } from './unavailable.ts'

/** Fetches one document. Passed in, so that tests and proxies can supply their own. */
export type FetchDocument = (url: string, init: RequestInit) => Promise<Response>

const MAX_BYTES = 256 * 1024
const TIMEOUT_MS = 5000
/** The minimum interval between fetches, successful or not: unknown key ids cannot cause more. */
const COOLDOWN_MS = 30_000
/** Keys are fetched again after this. With the time that a verification is cached, a withdrawn key counts five minutes at most. */
const MAX_AGE_MS = 4 * 60_000

/** The public keys in a file, read again when it changes. Gives `jwks_unreadable`. */
export function keySetOfFile(path: string, clock: Clock): Result<KeySet> {
  const unreadable = (reason: string) => failed([authProblem('jwks_unreadable', { path, reason })])
  const file = new KeptFile<JWTVerifyGetKey>(
    path,
    (text) => {
      try {
        const keys: JSONWebKeySet = JSON.parse(text)
        return ok(createLocalJWKSet(keys))
      } catch (error) {
        return unreadable(reasonOf(error))
      }
    },
    unreadable,
    clock,
  )
  const first = file.now()
  if (!first.ok) return first
  const keys: JWTVerifyGetKey = (header, token) => {
    const read = file.now()
    if (!read.ok) throw new AuthUnavailable(read.problems.map(({ message }) => message).join('; '))
    return read.value(header, token)
  }
  return ok({ keys, stamp: () => file.now() })
}

/**
 * The public keys at a URL that the operator configured: no other URL is ever fetched, whatever a token or a response
 * says. One fetch at a time, and none within 30 seconds of the last.
 */
export function keySetOfUrl(url: URL, fetchDocument: FetchDocument, clock: Clock): KeySet {
  let failedAt = -Infinity
  const fetchKeys: FetchDocument = async (address, init) => {
    if (clock.now() - failedAt < COOLDOWN_MS)
      throw new AuthUnavailable(`the keys at ${url.href} could not be had`)
    try {
      const response = await fetchDocument(address, { ...init, redirect: 'manual' })
      return await boundedCopy(response)
    } catch (error) {
      failedAt = clock.now()
      throw new AuthUnavailable(`the keys at ${url.href} cannot be had`, { cause: error })
    }
  }
  const keys = createRemoteJWKSet(url, {
    [customFetch]: fetchKeys,
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: MAX_AGE_MS,
  })
  return { keys, stamp: () => url }
}

/** A redirect counts as a failure: it would leave the configured URL. */
async function boundedCopy(response: Response): Promise<Response> {
  if (response.status !== 200) throw new Error(`the answer has status ${response.status}`)
  const bytes = await bytesUpTo(MAX_BYTES, response.body)
  if (!bytes) throw new Error(`the answer has more than ${MAX_BYTES} bytes`)
  const keys: JSONWebKeySet = JSON.parse(new TextDecoder().decode(bytes))
  // Throws for an invalid key set here, where the failure is remembered.
  createLocalJWKSet(keys)
  return Response.json(keys)
}
