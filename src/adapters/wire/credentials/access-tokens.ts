import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { failed, ok, type Result } from '../../../base/diagnostic.ts'
import type { OAuth } from '../../../catalog/auth/auth.ts'
import type { ServedCatalog } from '../../../catalog/model.ts'
import { wireProblem, type WireProblem } from '../problems.ts'
import type { Granted, RequestToken } from './grant.ts'
import type { Login, Logins } from './logins.ts'

/** The values of the secrets that a token is requested with. */
export interface TokenSecrets {
  readonly clientId: string
  readonly clientSecret?: string
  /** Of the grant `refresh_token`. */
  readonly refreshToken?: string
  /** The name of the login, for `authorization_code`. */
  readonly login?: string
}

/** Tokens are renewed this long before they expire. */
const EARLY_MS = 30_000
/** The default lifetime, since RFC 6749 makes stating it optional. */
const USUAL_LIFE_MS = 3_600_000
/** Tokens in memory: one for each catalog and set of secrets. */
const MAX_TOKENS = 1000

interface Kept {
  readonly token: string
  readonly goodUntil: number
  /** The token that renews it, if the server replaced the configured one. */
  readonly refreshToken?: string | undefined
  /** The API rejected it. */
  readonly isRejected?: true
}

/**
 * Access tokens: cached until they expire or an API rejects one, and fetched by one request for all calls that wait.
 * A token belongs to the values of the secrets that it was requested with, so that a rotated secret ends its use.
 */
export class AccessTokens {
  readonly #request: RequestToken
  readonly #logins: Logins
  readonly #kept = new LRUCache<string, Kept>({ max: MAX_TOKENS })
  /** Requests in progress. */
  readonly #flights = new Map<string, Promise<Result<string, WireProblem>>>()

  constructor(request: RequestToken, logins: Logins) {
    this.#request = request
    this.#logins = logins
  }

  /** The token for a call, or why there is none. */
  async token(
    catalog: ServedCatalog,
    auth: OAuth,
    secrets: TokenSecrets,
  ): Promise<Result<string, WireProblem>> {
    const key = keyOf(catalog, auth, secrets)
    const good = secrets.login === undefined ? this.#good(key) : await this.#loggedIn(secrets.login, key)
    if (good !== undefined) return ok(good)
    let flight = this.#flights.get(key)
    if (!flight) {
      flight = this.#renewed(catalog, auth, secrets, key).finally(() => this.#flights.delete(key))
      this.#flights.set(key, flight)
    }
    return flight
  }

  /** Notes that the API rejected a token: the next call fetches another. */
  reject(catalog: ServedCatalog, auth: OAuth, secrets: TokenSecrets, token: string): void {
    const key = keyOf(catalog, auth, secrets)
    const kept = this.#kept.get(key)
    // A concurrent call may have fetched a newer one. Of a login, only rejected tokens are noted.
    if (secrets.login === undefined && kept && kept.token !== token) return
    this.#kept.set(key, { token, goodUntil: 0, refreshToken: kept?.refreshToken, isRejected: true })
  }

  #good(key: string): string | undefined {
    const kept = this.#kept.get(key)
    return kept && kept.goodUntil > Date.now() ? kept.token : undefined
  }

  /** The token of a login as it is stored now: another process may have renewed it, or the person signed in again. */
  async #loggedIn(name: string, key: string): Promise<string | undefined> {
    const login = await this.#logins.read(name)
    return login && this.#isGood(login, key) ? login.accessToken : undefined
  }

  #isGood({ accessToken, goodUntil = Infinity }: Login, key: string): boolean {
    const kept = this.#kept.get(key)
    const isRejected = kept?.isRejected === true && kept.token === accessToken
    return !isRejected && goodUntil - EARLY_MS > Date.now()
  }

  async #renewed(
    catalog: ServedCatalog,
    auth: OAuth,
    secrets: TokenSecrets,
    key: string,
  ): Promise<Result<string, WireProblem>> {
    return secrets.login === undefined
      ? this.#fetched(catalog, auth, secrets, key)
      : this.#refreshed(catalog, auth, { ...secrets, login: secrets.login }, key)
  }

  async #fetched(
    catalog: ServedCatalog,
    auth: OAuth,
    secrets: TokenSecrets,
    key: string,
  ): Promise<Result<string, WireProblem>> {
    const refresh = this.#kept.get(key)?.refreshToken ?? secrets.refreshToken
    const granted = await this.#request(catalog, auth, {
      form: refresh === undefined ? { grant_type: 'client_credentials' } : refreshForm(refresh),
      client: clientOf(secrets),
    })
    if (!granted.ok) return granted
    const { token, refreshToken } = granted.value
    const goodUntil = Date.now() + lifeMs(granted.value) - EARLY_MS
    this.#kept.set(key, { token, goodUntil, refreshToken: refreshToken ?? refresh })
    return ok(token)
  }

  /** Renews a login, and stores what the server gave in its place. */
  async #refreshed(
    catalog: ServedCatalog,
    auth: OAuth,
    { login: name, ...secrets }: TokenSecrets & { readonly login: string },
    key: string,
  ): Promise<Result<string, WireProblem>> {
    const needed = failed([wireProblem('login_needed', { catalog: catalog.id })])
    const login = await this.#logins.read(name)
    if (login && this.#isGood(login, key)) return ok(login.accessToken)
    if (login?.refreshToken === undefined) return needed
    const granted = await this.#request(catalog, auth, {
      form: refreshForm(login.refreshToken),
      client: clientOf(secrets),
    })
    if (granted.ok) {
      await this.#logins.write(name, { refreshToken: login.refreshToken, ...loginOf(granted.value) })
      return ok(granted.value.token)
    }
    // Another process may have used the refresh token, which some servers accept once.
    const now = await this.#logins.read(name)
    if (now && now.accessToken !== login.accessToken && this.#isGood(now, key)) return ok(now.accessToken)
    return granted.problems[0]?.code === 'token_refused' ? needed : granted
  }
}

/** What is stored of a grant. */
export function loginOf(granted: Granted): Login {
  return {
    accessToken: granted.token,
    ...(granted.lifeSeconds !== undefined && { goodUntil: Date.now() + granted.lifeSeconds * 1000 }),
    ...(granted.refreshToken !== undefined && { refreshToken: granted.refreshToken }),
  }
}

function lifeMs({ lifeSeconds }: Granted): number {
  return lifeSeconds === undefined ? USUAL_LIFE_MS : lifeSeconds * 1000
}

function refreshForm(token: string) {
  return { grant_type: 'refresh_token', refresh_token: token }
}

function clientOf({ clientId: id, clientSecret: secret }: TokenSecrets) {
  return { id, ...(secret !== undefined && { secret }) }
}

/** Hashed: a key in memory does not hold the secrets themselves. */
function keyOf({ id }: ServedCatalog, auth: OAuth, secrets: TokenSecrets): string {
  const { clientId, clientSecret, refreshToken, login } = secrets
  const parts = [id, auth.scheme, auth.tokenUrl, auth.scopes, clientId, clientSecret, refreshToken, login]
  return createHash('sha256')
    .update(JSON.stringify(parts.map((part) => part ?? null)))
    .digest('base64')
}
