import { failed, ok, type Result } from '../../../base/diagnostic.ts'
import type { Auth, OAuth, SecretReference } from '../../../catalog/auth/auth.ts'
import { shownReference } from '../../../catalog/auth/reference.ts'
import type { ServedCatalog } from '../../../catalog/model.ts'
import { wireProblem, type WireProblem } from '../problems.ts'
import type { Proof } from '../request.ts'
import { AccessTokens, type TokenSecrets } from './access-tokens.ts'
import { awsSignature } from './aws.ts'
import type { RequestToken } from './grant.ts'
import type { Logins } from './logins.ts'
import { apiKey, basic, bearer, NOTHING, pathKey } from './proof.ts'

/** Reads the value of a secret; rejects if there is none. */
export type ReadSecret = (reference: SecretReference) => Promise<string>

/** The reference that a principal's calls use in place of a catalog's own; the same one where nothing else is set. */
export type ReferenceFor = (reference: SecretReference, principal: string | undefined) => SecretReference

export interface CredentialSources {
  readonly secrets: ReadSecret
  readonly logins: Logins
  readonly referenceFor?: ReferenceFor | undefined
}

/** The credential of a call, and what to do after the API rejected it. */
export interface CallProof {
  readonly proof: Proof
  /** Drops the token, so that the next call fetches another; absent if there is no other to fetch. */
  readonly reject?: () => void
}

/** The credentials of calls. Secrets are read for each call; access tokens are cached until they expire. */
export class Credentials {
  readonly #sources: CredentialSources
  readonly #tokens: AccessTokens

  constructor(sources: CredentialSources, request: RequestToken) {
    this.#sources = sources
    this.#tokens = new AccessTokens(request, sources.logins)
  }

  /**
   * The credential for a call to this origin, or why there is none. Origins outside the API get no secret of it.
   *
   * @param principal for whom: its own secrets are used where the operator set some
   */
  async proofFor(
    catalog: ServedCatalog,
    origin: string,
    principal?: string,
  ): Promise<Result<CallProof, WireProblem>> {
    const { auth, authOrigins = [] } = catalog
    const isTrusted = new URL(catalog.origin).origin === origin || authOrigins.includes(origin)
    if (auth.scheme === 'none' || !isTrusted) return ok({ proof: NOTHING })
    const secrets = new Secrets(this.#sources, principal)
    const made = await this.#proof(catalog, auth, secrets)
    const [missing] = secrets.missing
    if (missing === undefined) return made
    if (auth.scheme === 'bearer' && auth.optional) return ok({ proof: NOTHING })
    return failed([wireProblem('secret_missing', { catalog: catalog.id, secret: shownReference(missing) })])
  }

  async #proof(
    catalog: ServedCatalog,
    auth: Exclude<Auth, { readonly scheme: 'none' }>,
    secrets: Secrets,
  ): Promise<Result<CallProof, WireProblem>> {
    switch (auth.scheme) {
      case 'bearer':
        return ok({ proof: bearer(await secrets.read(auth.secret)) })
      case 'api_key':
        return ok({ proof: apiKey(auth, await secrets.read(auth.secret)) })
      case 'api_key_path':
        return ok({ proof: pathKey(await secrets.read(auth.secret)) })
      case 'basic':
        return ok({ proof: basic(await secrets.read(auth.username), await secrets.read(auth.password)) })
      case 'aws_sigv4': {
        const { sessionToken } = auth
        const keys = {
          accessKeyId: await secrets.read(auth.accessKeyId),
          secretAccessKey: await secrets.read(auth.secretAccessKey),
          ...(sessionToken !== undefined && { sessionToken: await secrets.read(sessionToken) }),
        }
        return ok({ proof: awsSignature(auth, keys) })
      }
      case 'client_credentials':
      case 'refresh_token':
      case 'authorization_code':
        return this.#withToken(catalog, auth, secrets)
    }
  }

  async #withToken(
    catalog: ServedCatalog,
    auth: OAuth,
    secrets: Secrets,
  ): Promise<Result<CallProof, WireProblem>> {
    const values: TokenSecrets = {
      clientId: await secrets.read(auth.clientId),
      ...(auth.clientSecret !== undefined && { clientSecret: await secrets.read(auth.clientSecret) }),
      ...(auth.scheme === 'refresh_token' && { refreshToken: await secrets.read(auth.refreshToken) }),
      ...(auth.scheme === 'authorization_code' && { login: secrets.loginName(auth.login) }),
    }
    if (secrets.missing.length > 0) return ok({ proof: NOTHING })
    const token = await this.#tokens.token(catalog, auth, values)
    if (!token.ok) return token
    const reject = () => this.#tokens.reject(catalog, auth, values, token.value)
    return ok({ proof: bearer(token.value), reject })
  }
}

/** Reads the secrets of one call, and notes those that are missing. */
class Secrets {
  readonly missing: SecretReference[] = []
  readonly #sources: CredentialSources
  readonly #principal: string | undefined

  constructor(sources: CredentialSources, principal: string | undefined) {
    this.#sources = sources
    this.#principal = principal
  }

  /** The value; empty if it is missing. */
  async read(reference: SecretReference): Promise<string> {
    const own = this.#referenceFor(reference)
    try {
      return await this.#sources.secrets(own)
    } catch {
      this.missing.push(own)
      return ''
    }
  }

  loginName(reference: SecretReference): string {
    return this.#referenceFor(reference).replace(/^login:/, '')
  }

  #referenceFor(reference: SecretReference): SecretReference {
    return this.#sources.referenceFor?.(reference, this.#principal) ?? reference
  }
}
