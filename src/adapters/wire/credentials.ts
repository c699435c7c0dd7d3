import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { Auth, SecretReference, ServedCatalog } from '../../catalog/model.ts'
import { shownReference } from '../../catalog/secret-name.ts'
import { wireProblem, type WireProblem } from './problems.ts'
import type { Proof } from './request.ts'

export type ReadSecret = (reference: string) => Promise<string>

type ClientCredentials = Extract<Auth, { readonly scheme: 'client_credentials' }>

/** Fetches an access token; with its lifetime in seconds if the API states it. */
export type FetchToken = (
  catalog: ServedCatalog,
  auth: ClientCredentials,
  client: { readonly id: string; readonly secret: string },
) => Promise<Result<{ readonly token: string; readonly lifeSeconds: number }, WireProblem>>

interface Token {
  readonly token: string
  readonly goodUntil: number
}

/** Tokens are renewed this long before they expire. */
const EARLY_MS = 30_000

const NOTHING: Proof = { headers: [], query: [], secrets: [] }

/** The credentials of calls. Secrets are read for each call; tokens are cached until they expire. */
export class Credentials {
  readonly #secrets: ReadSecret
  readonly #fetchToken: FetchToken
  readonly #tokens = new Map<string, Token>()
  /** Exchanges in progress: concurrent calls share one. */
  readonly #flights = new Map<string, Promise<Result<Token, WireProblem>>>()

  constructor(secrets: ReadSecret, fetchToken: FetchToken) {
    this.#secrets = secrets
    this.#fetchToken = fetchToken
  }

  /** The credential for a call to this origin, or why there is none. Origins outside the API get no secret of it. */
  async proofFor(catalog: ServedCatalog, origin: string): Promise<Result<Proof, WireProblem>> {
    const { auth, authOrigins = [] } = catalog
    const isTrusted = new URL(catalog.origin).origin === origin || authOrigins.includes(origin)
    if (auth.scheme === 'none' || !isTrusted) return ok(NOTHING)
    if (auth.scheme === 'client_credentials') {
      const token = await this.#token(catalog, auth)
      return token.ok ? ok(bearer(token.value.token)) : token
    }
    const secret = await this.#secret(catalog, auth.secret)
    if (!secret.ok) return auth.scheme === 'bearer' && auth.optional ? ok(NOTHING) : secret
    return ok(auth.scheme === 'bearer' ? bearer(secret.value) : apiKey(auth, secret.value))
  }

  /** Drops a token that the API rejected: the next call fetches another. True if there is one to fetch. */
  forget(catalog: ServedCatalog, proof: Proof): boolean {
    if (catalog.auth.scheme !== 'client_credentials' || proof === NOTHING) return false
    const key = keyOf(catalog, catalog.auth)
    const kept = this.#tokens.get(key)
    // A concurrent call may have fetched a newer one.
    if (kept && proof.secrets.includes(kept.token)) this.#tokens.delete(key)
    return true
  }

  async #token(catalog: ServedCatalog, auth: ClientCredentials): Promise<Result<Token, WireProblem>> {
    const key = keyOf(catalog, auth)
    const kept = this.#tokens.get(key)
    if (kept && kept.goodUntil > Date.now()) return ok(kept)
    let flight = this.#flights.get(key)
    if (!flight) {
      flight = this.#exchange(catalog, auth, key).finally(() => this.#flights.delete(key))
      this.#flights.set(key, flight)
    }
    return flight
  }

  async #exchange(
    catalog: ServedCatalog,
    auth: ClientCredentials,
    key: string,
  ): Promise<Result<Token, WireProblem>> {
    const id = await this.#secret(catalog, auth.clientId)
    if (!id.ok) return id
    const secret = await this.#secret(catalog, auth.clientSecret)
    if (!secret.ok) return secret
    const fetched = await this.#fetchToken(catalog, auth, { id: id.value, secret: secret.value })
    if (!fetched.ok) return fetched
    const { token, lifeSeconds } = fetched.value
    const kept = { token, goodUntil: Date.now() + lifeSeconds * 1000 - EARLY_MS }
    this.#tokens.set(key, kept)
    return ok(kept)
  }

  async #secret(catalog: ServedCatalog, reference: SecretReference): Promise<Result<string, WireProblem>> {
    try {
      return ok(await this.#secrets(reference))
    } catch {
      return failed([
        wireProblem('secret_missing', { catalog: catalog.id, secret: shownReference(reference) }),
      ])
    }
  }
}

function bearer(token: string): Proof {
  return { headers: [['authorization', `Bearer ${token}`]], query: [], secrets: [token] }
}

function apiKey(auth: Extract<Auth, { readonly scheme: 'api_key' }>, secret: string): Proof {
  const pair = [auth.name, secret] as const
  return auth.in === 'header'
    ? { headers: [pair], query: [], secrets: [secret] }
    : { headers: [], query: [pair], secrets: [secret] }
}

function keyOf(catalog: ServedCatalog, auth: ClientCredentials): string {
  return JSON.stringify([catalog.id, auth.tokenUrl, auth.clientId, auth.clientSecret, auth.scopes])
}
