import { failed, ok, type Result } from '../../../base/diagnostic.ts'
import { child } from '../../../base/json.ts'
import type { OAuth } from '../../../catalog/auth/auth.ts'
import type { ServedCatalog } from '../../../catalog/model.ts'
import type { Reach } from '../addresses.ts'
import { type AnswerBody, readHere } from '../answer/read.ts'
import { Deadline } from '../deadline.ts'
import { tokenDestination, type AllowPrivate } from '../destination.ts'
import { exchange, type Attempt, type Exit } from '../exchange.ts'
import { wireProblem, type WireProblem } from '../problems.ts'
import type { OutgoingRequest } from '../request.ts'

const TIMEOUT_MS = 15_000
const MAX_BYTES = 64 * 1024

/** What a token request asks for: the form of the grant, and the client that asks. */
interface Grant {
  readonly form: Readonly<Record<string, string>>
  readonly client: { readonly id: string; readonly secret?: string }
}

export interface Granted {
  readonly token: string
  /** Seconds; absent if the server does not state it. */
  readonly lifeSeconds?: number
  /** The refresh token that replaces the one that was used, or the first one. */
  readonly refreshToken?: string
}

/** Requests an access token (RFC 6749). */
export type RequestToken = (
  catalog: ServedCatalog,
  auth: OAuth,
  grant: Grant,
) => Promise<Result<Granted, WireProblem>>

/**
 * Requests access tokens. The exchange has its own deadline: several calls may wait for it, and cancelling one of them must
 * not fail the others.
 */
export function tokenRequester(
  exitFor: (reach: Reach) => Exit,
  allowPrivate: AllowPrivate,
  userAgent: string,
): RequestToken {
  return async (catalog, auth, grant) => {
    const destination = tokenDestination(catalog, auth.tokenUrl, allowPrivate)
    if (!destination.ok) return destination
    const { url, reach } = destination.value
    const deadline = new Deadline(undefined, TIMEOUT_MS)
    try {
      const request = tokenRequest(url, auth.scopes, grant, userAgent)
      const exit = exitFor(reach)
      const context = { exit, catalog: catalog.id, deadline, maxBytes: MAX_BYTES, read: readSmall }
      return readToken(await exchange(request, context), catalog.id, url.origin)
    } finally {
      deadline.dispose()
    }
  }
}

const readSmall = async (body: AnswerBody) => readHere(body)

function tokenRequest(
  url: URL,
  scopes: readonly string[],
  { form: fields, client }: Grant,
  userAgent: string,
): OutgoingRequest {
  const form = new URLSearchParams(fields)
  // A code was issued for its own scopes.
  if (scopes.length > 0 && fields['grant_type'] !== 'authorization_code') form.set('scope', scopes.join(' '))
  if (client.secret === undefined) form.set('client_id', client.id)
  const basic =
    client.secret === undefined
      ? undefined
      : Buffer.from(`${formEncoded(client.id)}:${formEncoded(client.secret)}`).toString('base64')
  const headers = {
    accept: 'application/json',
    'user-agent': userAgent,
    'content-type': 'application/x-www-form-urlencoded',
    ...(basic !== undefined && { authorization: `Basic ${basic}` }),
  }
  return {
    method: 'POST',
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    headers: Object.entries(headers).flat(),
    body: form.toString(),
    // Not the token of the form: an answer may repeat it as the token to use next.
    secrets: [client.secret, basic].filter((secret) => secret !== undefined),
  }
}

/** Encodes both parts as section 2.3.1 of the RFC requires. */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}

function readToken(attempt: Attempt, catalog: string, origin: string): Result<Granted, WireProblem> {
  const refused = (detail: string) => failed([wireProblem('token_refused', { catalog, origin, detail })])
  if (attempt.kind === 'failure') return failed([attempt.problem])
  if (attempt.status !== 200) return refused(`status ${attempt.status}`)
  const token = child(attempt.body, 'access_token')
  if (!isToken(token)) return refused('its answer holds none')
  const life = Number(child(attempt.body, 'expires_in') ?? Number.NaN)
  const refreshToken = child(attempt.body, 'refresh_token')
  return ok({
    token,
    ...(Number.isFinite(life) && { lifeSeconds: life }),
    ...(isToken(refreshToken) && { refreshToken }),
  })
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\u0021-\u007E]+$/.test(value)
}
