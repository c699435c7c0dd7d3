import { unknownNames } from '../access/policy.ts'
import { referencesOf } from '../catalog/auth/auth.ts'
import type { PolicySource } from '../adapters/auth/policy-file.ts'
import type { Problem } from '../base/diagnostic.ts'
import { nearest } from '../base/suggest.ts'
import type { CatalogSet } from '../catalog/lookup.ts'
import { problem } from './problems.ts'
import type { Config } from './read.ts'

/**
 * Names in settings and policy that no catalog has. A misspelled name may leave open what the operator meant to close.
 *
 * Gives `setting_unused` and the problems of `unknownNames`.
 */
export function unusedNames(config: Config, policy: PolicySource, set: CatalogSet): readonly Problem[] {
  const catalogs = [...set.byId.values()].map(({ catalog }) => catalog)
  const origins = catalogs.flatMap(({ origin, otherOrigins }) =>
    [origin, ...otherOrigins].filter(isWeb).map((one) => new URL(one).origin),
  )
  const names = catalogs.map(({ id, capabilities }) => [id, capabilities.map(({ name }) => name)] as const)
  return [
    ...unused('effects', 'id', Object.keys(config.effects), ['*', ...set.byId.keys()]),
    ...unused('loops', 'id', Object.keys(config.loops), ['*', ...set.byId.keys()]),
    ...unused('read_flows', 'id', Object.keys(config.readFlows), ['*', ...set.byId.keys()]),
    ...unused(
      'workspaces',
      'id',
      config.workspaces.workspaces.flatMap((one) => one.catalogs ?? []),
      [...set.byId.keys()],
    ),
    ...unused('rates', 'origin', Object.keys(config.rates), origins),
    ...unused(
      'own_secrets',
      'from',
      config.access.ownSecrets.map(({ from }) => from),
      ['keys', 'local', ...config.access.jwt.map(({ issuer }) => issuer)],
    ),
    ...unused(
      'own_secrets',
      'reference',
      config.access.ownSecrets.flatMap(({ secrets }) => Object.keys(secrets)),
      [...new Set([...set.byId.values()].flatMap(({ catalog }) => referencesOf(catalog.auth)))],
    ),
    ...(policy.where === undefined ? [] : unknownNames(policy.policy(), policy.where, new Map(names))),
  ]
}

function unused(
  setting: string,
  what: string,
  given: readonly string[],
  known: readonly string[],
): readonly Problem[] {
  return given
    .filter((name) => !known.includes(name))
    .map((name) => {
      const similar = nearest(name, known)
      return problem('setting_unused', { setting, name, what, similar }, { nearest: similar })
    })
}

/** The address of an MCP server has no origin. */
function isWeb(origin: string): boolean {
  return /^https?:/.test(origin)
}
