import { fileCatalogs } from '../adapters/catalogs/files.ts'
import { signIn } from '../adapters/wire/credentials/sign-in.ts'
import { secretReader } from '../adapters/wire/secrets.ts'
import { failed, ok, type Result } from '../base/diagnostic.ts'
import { nearest } from '../base/suggest.ts'
import type { AuthorizationCode, SecretReference } from '../catalog/auth/auth.ts'
import { shownReference } from '../catalog/auth/reference.ts'
import type { ServedCatalog } from '../catalog/model.ts'
import type { Config } from '../config/read.ts'
import type { SigningIn } from '../surfaces/cli/dependencies.ts'
import { VERSION } from '../version.ts'
import { catalogInputs } from './catalog-paths.ts'
import { loginsOf } from './logins.ts'
import { appProblem } from './problems.ts'

/** Signs a person in to the API of a catalog, and keeps the login. Gives what is wrong with the catalog or the sign-in. */
export async function signInTo(
  config: Config,
  id: string,
  { show, port, signal }: SigningIn,
): Promise<Result<{ readonly catalog: string }>> {
  const found = await withLogin(config, id)
  if (!found.ok) return found
  const { catalog, auth } = found.value
  const [clientId, secret] = await Promise.all([
    readSecret(id, auth.clientId),
    auth.clientSecret === undefined ? undefined : readSecret(id, auth.clientSecret),
  ])
  if (!clientId.ok) return clientId
  if (secret && !secret.ok) return secret
  const client = { id: clientId.value, ...(secret && { secret: secret.value }) }
  const userAgent = `plasmid/${VERSION}`
  const login = await signIn({ catalog, auth, client, userAgent, show, signal, port })
  if (!login.ok) return login
  await loginsOf(config).write(nameOf(auth), login.value)
  return ok({ catalog: id })
}

/** Forgets the login to a catalog; false if there was none. */
export async function signOutOf(config: Config, id: string): Promise<Result<boolean>> {
  const found = await withLogin(config, id)
  return found.ok ? ok(await loginsOf(config).remove(nameOf(found.value.auth))) : found
}

function nameOf({ login }: AuthorizationCode): string {
  return login.replace(/^login:/, '')
}

async function withLogin(
  config: Config,
  id: string,
): Promise<Result<{ readonly catalog: ServedCatalog; readonly auth: AuthorizationCode }>> {
  const { source } = await fileCatalogs(await catalogInputs(config), { backends: config.backends })
  const { byId } = source.current()
  const catalog = byId.get(id)?.catalog
  if (!catalog) return failed([appProblem('unknown_catalog', { id, similar: nearest(id, [...byId.keys()]) })])
  const { auth } = catalog
  return auth.scheme === 'authorization_code'
    ? ok({ catalog, auth })
    : failed([appProblem('no_login', { id })])
}

async function readSecret(catalog: string, reference: SecretReference): Promise<Result<string>> {
  try {
    return ok(await secretReader(process.env)(reference))
  } catch {
    return failed([appProblem('secret_unset', { catalog, secret: shownReference(reference) })])
  }
}
