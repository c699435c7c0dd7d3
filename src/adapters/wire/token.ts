import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { Json } from '../../base/canonical.ts'
import type { Reach } from './addresses.ts'
import type { FetchToken } from './credentials.ts'
import { Deadline } from './deadline.ts'
import { tokenDestination, type AllowPrivate } from './destination.ts'
import { exchange, type Attempt, type Exit } from './exchange.ts'
import { wireProblem, type WireProblem } from './problems.ts'
import type { OutgoingRequest } from './request.ts'

const TIMEOUT_MS = 15_000
const MAX_BYTES = 64 * 1024
/** The default lifetime, since RFC 6749 makes stating it optional. */
const USUAL_LIFE_SECONDS = 3600

/**
 * Fetches access tokens with the client credentials grant (RFC 6749, section 4.4). The exchange has its own deadline:
 * several calls may wait for it, and cancelling one of them must not fail the others.
 */
export function tokenFetcher(
  exitFor: (reach: Reach) => Exit,
  allowPrivate: AllowPrivate,
  userAgent: string,
): FetchToken {
  return async (catalog, auth, client) => {
    const destination = tokenDestination(catalog, auth.tokenUrl, allowPrivate)
    if (!destination.ok) return destination
    const { url, reach } = destination.value
    const deadline = new Deadline(undefined, TIMEOUT_MS)
    try {
      const request = tokenRequest(url, auth.scopes, client, userAgent)
      const context = { exit: exitFor(reach), catalog: catalog.id, deadline, maxBytes: MAX_BYTES }
      return readToken(await exchange(request, context), catalog.id, url.origin)
    } finally {
      deadline.dispose()
    }
  }
}

function tokenRequest(
  url: URL,
  scopes: readonly string[],
  client: { readonly id: string; readonly secret: string },
  userAgent: string,
): OutgoingRequest {
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  if (scopes.length > 0) form.set('scope', scopes.join(' '))
  const basic = Buffer.from(`${formEncoded(client.id)}:${formEncoded(client.secret)}`).toString('base64')
  const headers = {
    accept: 'application/json',
    'user-agent': userAgent,
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${basic}`,
  }
  const path = `${url.pathname}${url.search}`
  const secrets = [client.secret, basic]
  return {
    method: 'POST',
    origin: url.origin,
    path,
    headers: Object.entries(headers).flat(),
    body: form.toString(),
    secrets,
  }
}

/** Encodes both parts as section 2.3.1 of the RFC requires. */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}

function readToken(
  attempt: Attempt,
  catalog: string,
  origin: string,
): Result<{ token: string; lifeSeconds: number }, WireProblem> {
  const refused = (detail: string) => failed([wireProblem('token_refused', { catalog, origin, detail })])
  if (attempt.kind === 'failure') return failed([attempt.problem])
  if (attempt.status !== 200) return refused(`status ${attempt.status}`)
  const token = member(attempt.body, 'access_token')
  if (typeof token !== 'string' || !/^[\u0021-\u007E]+$/.test(token)) return refused('its answer holds none')
  const life = Number(member(attempt.body, 'expires_in') ?? USUAL_LIFE_SECONDS)
  return ok({ token, lifeSeconds: Number.isFinite(life) ? life : USUAL_LIFE_SECONDS })
}

function member(value: Json, name: string): Json | undefined {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}
