import { z } from 'zod'
import { canonicalJson } from '../base/canonical.ts'
import { failed, ok, type Problem, type Result } from '../base/diagnostic.ts'
import { objection } from '../base/objection.ts'
import { nearest } from '../base/suggest.ts'
import type { Identity } from './identity.ts'
import { accessProblem } from './problems.ts'
import { normalTrust, TRUST_LEVELS, type TrustLevel } from './trust.ts'

/**
 * How a change is admitted: at once; from a reviewed plan; from a plan that a person approved on a channel that the model
 * cannot write to; never.
 */
export type EffectPolicy = 'allow' | 'review' | 'confirm' | 'deny'

/** What one caller may do. */
export interface Rights {
  readonly mayUseCatalog: (catalog: string) => boolean
  readonly mayUseCapability: (catalog: string, capability: string) => boolean
  /** Undefined: the deployment's policy. */
  readonly effectPolicy: (catalog: string, capability: string) => EffectPolicy | undefined
  /** May the caller see figures of the whole server? Absent: only the local user may. */
  readonly isOperator?: boolean
  /** The most trust that the caller's calls have; absent: no limit. */
  readonly trust?: TrustLevel
  /** Credentials issued before this time (milliseconds since the epoch) are invalid. */
  readonly revokedBefore?: number
}

/** The operator's policy: who may do what. */
export interface Policy {
  readonly rightsOf: (identity: Identity) => Rights
  /** The names of catalogs and capabilities that the policy holds, and where. */
  readonly names: readonly PolicyName[]
}

interface PolicyName {
  readonly path: string
  readonly catalog: string
  readonly capability?: string
}

export const EVERYTHING: Rights = {
  mayUseCatalog: () => true,
  mayUseCapability: () => true,
  effectPolicy: () => undefined,
}
export const NOTHING: Rights = {
  isOperator: false,
  mayUseCatalog: () => false,
  mayUseCapability: () => false,
  effectPolicy: () => 'deny',
}
/** The policy without a policy file. */
export const NO_POLICY: Policy = { rightsOf: () => EVERYTHING, names: [] }
/** The policy if the policy file cannot be read. */
export const CLOSED_POLICY: Policy = { rightsOf: () => NOTHING, names: [] }

const effect = z.enum(['allow', 'review', 'confirm', 'deny'])
const name = z.string().min(1)
const catalogEntry = z
  .strictObject({
    /** How changes are let through. */
    effects: effect.optional(),
    /** The only capabilities that may be used; absent: all. */
    capabilities: z.array(name).optional(),
    /** How changes by single capabilities are let through. */
    capability_effects: z.record(name, effect).optional(),
  })
  .nullable()
const callerEntry = z.strictObject({
  /** `local`, `anonymous`, `keys`, or the issuer of tokens. */
  from: name,
  /** Absent: callers from there whose credential names no tenant. */
  tenant: name.optional(),
  /** How changes are let through where the catalog's entry does not say. */
  effects: effect.optional(),
  /** May these callers see figures of the whole server? */
  operator: z.boolean().optional(),
  /** The most trust that calls have, as in the setting `trust`. */
  trust: z.string().transform(normalTrust).pipe(z.enum(TRUST_LEVELS)).optional(),
  /** The only catalogs that may be used; absent: all. */
  catalogs: z.record(name, catalogEntry).optional(),
  /** Earlier credentials are invalid. */
  revoked_before: z.iso.datetime({ offset: true }).optional(),
})
const policyFile = z.strictObject({
  /** What callers may do whom no entry names: everything, or nothing. */
  default: z.enum(['allow', 'deny']).default('allow'),
  callers: z.array(callerEntry).default([]),
})
type CallerEntry = z.output<typeof callerEntry>
type CatalogEntry = z.output<typeof catalogEntry>

const KEYS = {
  policy: Object.keys(policyFile.shape),
  caller: Object.keys(callerEntry.shape),
  catalog: Object.keys(catalogEntry.unwrap().shape),
}

/**
 * A policy from the value that its file holds.
 *
 * Gives `policy_unknown_key`, `policy_invalid` or `policy_twice`: all of them at once.
 *
 * @param instantOf milliseconds since the epoch of an RFC 3339 time
 */
export function readPolicy(
  value: unknown,
  file: string,
  instantOf: (time: string) => number,
): Result<Policy> {
  const parsed = policyFile.safeParse(value)
  if (!parsed.success) return failed(problemsOfParse(parsed.error, file))
  const { callers } = parsed.data
  const twice = callers.filter((entry, at) => callers.findIndex((other) => sameWho(other, entry)) !== at)
  if (twice.length > 0)
    return failed(twice.map(({ from, tenant }) => accessProblem('policy_twice', { file, from, tenant })))
  const entries = new Map(callers.map((entry) => [who(entry), rightsOfEntry(entry, instantOf)]))
  const otherwise = parsed.data.default === 'allow' ? EVERYTHING : NOTHING
  return ok({
    rightsOf: (identity) => entries.get(who(whoIs(identity))) ?? otherwise,
    names: callers.flatMap(namesOf),
  })
}

/** Names in a policy that no catalog has: a slip that would leave something open, or shut. */
export function unknownNames(
  { names }: Policy,
  file: string,
  catalogs: ReadonlyMap<string, readonly string[]>,
): Problem[] {
  return names.flatMap(({ path, catalog, capability }) => {
    const known = catalogs.get(catalog)
    const wrong =
      capability === undefined
        ? known
          ? undefined
          : catalog
        : known?.includes(capability) === false
          ? capability
          : undefined
    if (wrong === undefined) return []
    const similar = nearest(wrong, capability === undefined ? catalogs.keys() : (known ?? []))
    return [accessProblem('policy_unknown_name', { file, path, name: wrong, similar }, { nearest: similar })]
  })
}

interface Who {
  readonly from: string
  readonly tenant?: string | undefined
}

/** One text for each source and tenant; a missing tenant is none that could be typed. */
function who({ from, tenant }: Who): string {
  return canonicalJson([from, tenant ?? null])
}

function sameWho(a: Who, b: Who): boolean {
  return who(a) === who(b)
}

function whoIs(identity: Identity): Who {
  switch (identity.from) {
    case 'local':
    case 'anonymous':
      return { from: identity.from }
    case 'key':
      return { from: 'keys', tenant: identity.tenant }
    case 'jwt':
      return { from: identity.issuer, tenant: identity.tenant }
  }
}

function rightsOfEntry(entry: CallerEntry, instantOf: (time: string) => number): Rights {
  const catalogs =
    entry.catalogs && new Map(Object.entries(entry.catalogs).map(([id, one]) => [id, catalogRights(one)]))
  return {
    mayUseCatalog: (catalog) => catalogs?.has(catalog) ?? true,
    mayUseCapability: (catalog, capability) =>
      catalogs === undefined || catalogs.get(catalog)?.mayUse(capability) === true,
    effectPolicy: (catalog, capability) => catalogs?.get(catalog)?.effect(capability) ?? entry.effects,
    ...(entry.operator === undefined ? {} : { isOperator: entry.operator }),
    ...(entry.trust === undefined ? {} : { trust: entry.trust }),
    ...(entry.revoked_before === undefined ? {} : { revokedBefore: instantOf(entry.revoked_before) }),
  }
}

function catalogRights(entry: CatalogEntry) {
  const allowed = entry?.capabilities && new Set(entry.capabilities)
  const effects = new Map(Object.entries(entry?.capability_effects ?? {}))
  return {
    mayUse: (capability: string) => allowed?.has(capability) ?? true,
    effect: (capability: string) => effects.get(capability) ?? entry?.effects,
  }
}

function namesOf(entry: CallerEntry, at: number): PolicyName[] {
  return Object.entries(entry.catalogs ?? {}).flatMap(([catalog, held]) => {
    const path = `callers[${at}].catalogs.${catalog}`
    const capabilities = [...(held?.capabilities ?? []), ...Object.keys(held?.capability_effects ?? {})]
    return [{ path, catalog }, ...capabilities.map((capability) => ({ path, catalog, capability }))]
  })
}

function problemsOfParse(error: z.ZodError, file: string): Problem[] {
  return error.issues.flatMap((issue): Problem[] => {
    const path = issue.path.map(String).join('.')
    if (issue.code !== 'unrecognized_keys') {
      return [accessProblem('policy_invalid', { file, path, reason: objection(issue) }, { path, file })]
    }
    const known = issue.path.length === 0 ? KEYS.policy : issue.path.length === 2 ? KEYS.caller : KEYS.catalog
    return issue.keys.map((key) => {
      const similar = nearest(key, known)
      return accessProblem(
        'policy_unknown_key',
        { file, path, key, similar },
        { path, file, nearest: similar },
      )
    })
  })
}
