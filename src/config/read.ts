import { existsSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parse } from 'yaml'
import type { z } from 'zod'
import type { McpServer } from '../access/mcp-server.ts'
import type { WorkspaceGrants } from '../access/workspace.ts'
import { reasonOf } from '../base/errors.ts'
import { failed, ok, type Problem, type Result } from '../base/diagnostic.ts'
import { whyOthersCanWrite } from '../base/file-owner.ts'
import { objection } from '../base/objection.ts'
import { nearest } from '../base/suggest.ts'
import type { Rate } from '../base/token-bucket.ts'
import { type AccessConfig, accessOf, isLoopback, ISSUER_KEYS, OWNER_KEYS } from './access.ts'
import { type CatalogEntry, ENTRY_KEYS, entryOf } from './catalog-entry.ts'
import { defaultDataDir, type Environment, environmentSettings } from './environment.ts'
import { MCP_SERVER_KEYS, mcpServersOf } from './mcp-servers.ts'
import { problem } from './problems.ts'
import { describeSettings, LIFETIME_NAMES, SETTING_NAMES, type Settings, settings } from './settings.ts'
import { type StoreKind, storeKindOf } from './store-kind.ts'
import { grantsOf, WORKSPACE_KEYS } from './workspaces.ts'

type Unchanged =
  'shipped' | 'backends' | 'effects' | 'loops' | 'rates' | 'lifetimes' | 'host' | 'port' | 'auth'

/** Every setting, checked. Paths are absolute. */
export interface Config extends Readonly<Pick<Settings, Unchanged>> {
  readonly catalogs: readonly CatalogEntry[]
  /** The lists and maps of the file in whose place flags or the environment give others. */
  readonly leftOut: readonly {
    readonly name: string
    readonly where: string
    readonly entries: readonly string[]
  }[]
  /** The paths of catalogs on the command line: each must exist at the start. */
  readonly catalogFlags: readonly string[]
  readonly store: StoreKind
  readonly redis: { readonly url: string; readonly prefix: string }
  readonly dataDir: string
  /** Processes that answer on the port. */
  readonly workers: number
  readonly access: AccessConfig
  readonly workspaces: WorkspaceGrants
  /** In lower case. */
  readonly workspaceHeader?: string
  readonly contextPrefixes: readonly string[]
  readonly mcpServers: readonly McpServer[]
  /** The most connections to MCP servers, and how long an unused one stays open. */
  readonly mcpPool: { readonly most: number; readonly idleMs: number }
  readonly mcpWaitMs: number
  readonly allowedHosts: readonly string[]
  readonly discoveryEmbedder: Settings['discovery_embedder']
  readonly readFlows: Settings['read_flows']
  /** The longest wait that an API can impose on a caller. */
  readonly retryAfterLimitMs: number
  readonly callLimitMs: number
  /** How often one principal may call over HTTP; absent: no limit. */
  /** Programs of one principal that run at a time in one process. */
  readonly runsAtOnce: number
  readonly requestRate?: Rate
  readonly logLevel?: Settings['log_level']
  /** `PLASMID_SECRET`: one secret or several, the newest first. Only the environment holds it, since files are shared. */
  readonly secret?: string
}

/** Where a flag's value comes from, in messages. */
const COMMAND_LINE = 'the command line'

/** Where settings come from. */
export interface ConfigSources {
  /** By the names of the settings; absent ones are undefined. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: Environment
  /** A YAML or JSON file (`--config`, else `PLASMID_CONFIG`). */
  readonly file?: string | undefined
  /** Paths are relative to this. */
  readonly cwd: string
}

/**
 * One validated configuration from flags, environment and file, or all their problems. A flag takes precedence over the
 * environment, the environment over the file.
 *
 * Gives `unknown_setting`, `bad_value` (of a flag), `invalid_setting`, `config_unreadable`, `open_to_everybody`, `scope_conflict`, `issuer_twice`
 * or `audience_missing`.
 */
export function readConfig(sources: ConfigSources): Result<Config> {
  const path = configFileOf(sources)
  const file = path === undefined ? ok({}) : readSettingsFile(resolve(sources.cwd, path))
  if (!file.ok) return file
  const environment = environmentSettings(sources.env)
  const given = new Map<string, { readonly value: unknown; readonly where: string }>()
  for (const [name, value] of Object.entries(file.value))
    given.set(name, { value, where: `the file ${path}` })
  for (const [name, value] of environment.values) given.set(name, { value, where: 'the environment' })
  for (const [name, value] of Object.entries(sources.flags)) {
    if (value !== undefined) given.set(name, { value, where: COMMAND_LINE })
  }
  const parsed = settings.safeParse(Object.fromEntries([...given].map(([name, { value }]) => [name, value])))
  const problems = [
    ...environment.problems,
    ...(parsed.success
      ? []
      : problemsOfParse(parsed.error, (name) => given.get(name)?.where ?? 'the configuration')),
  ]
  if (!parsed.success || problems.length > 0) return failed(problems)
  const conflicts = conflictsOf(parsed.data)
  if (conflicts.length > 0) return failed(conflicts)
  const servers = mcpServersOf(parsed.data, sources.cwd)
  if (!servers.ok) return servers
  const leftOut = Object.entries(file.value).flatMap(([name, value]) => {
    const { where = '' } = given.get(name) ?? {}
    const lost = given.get(name)?.value === value ? [] : entriesOf(value)
    return lost.length > 0 ? [{ name, where, entries: lost }] : []
  })
  return ok(configOf(parsed.data, sources, { mcpServers: servers.value, leftOut }))
}

/** The file with the settings: the one given, else `plasmid.yaml` in the data directory, if it exists. */
function configFileOf(sources: ConfigSources): string | undefined {
  const given = sources.file ?? sources.env['PLASMID_CONFIG']
  if (given !== undefined) return given
  const own = ownConfigFile(sources)
  return existsSync(own) ? own : undefined
}

/** The file that `plasmid add` writes if no other is given: `plasmid.yaml` in the data directory. */
export function ownConfigFile({ flags, env, cwd }: Omit<ConfigSources, 'file'>): string {
  const { data_dir: flag } = flags
  const folder = typeof flag === 'string' ? flag : env['PLASMID_DATA_DIR'] || defaultDataDir(env)
  return resolve(cwd, folder, 'plasmid.yaml')
}

function configOf(
  data: Settings,
  { flags, env, cwd }: ConfigSources,
  { mcpServers, leftOut }: Pick<Config, 'mcpServers' | 'leftOut'>,
): Config {
  const { catalogs, shipped, backends, effects, loops, rates, lifetimes, host, port, auth } = data
  const secret = env['PLASMID_SECRET']
  return {
    shipped,
    backends,
    effects,
    loops,
    rates,
    lifetimes,
    host,
    port,
    auth,
    catalogs: catalogs.map((given) => entryOf(given, cwd)),
    catalogFlags: flags['catalogs'] === undefined ? [] : pathsOf(catalogs, cwd),
    ...storeOf(data.store, data.redis_prefix),
    dataDir: resolve(cwd, data.data_dir ?? defaultDataDir(env)),
    workers: data.workers === 'auto' ? availableParallelism() : data.workers,
    access: accessOf(data, cwd),
    workspaces: grantsOf(data),
    ...(data.workspace_header !== undefined && { workspaceHeader: data.workspace_header.toLowerCase() }),
    contextPrefixes: data.context_prefixes,
    mcpServers,
    leftOut,
    mcpPool: { most: data.mcp_processes, idleMs: data.mcp_idle_seconds * 1000 },
    mcpWaitMs: data.mcp_wait_seconds * 1000,
    allowedHosts: data.allowed_hosts,
    discoveryEmbedder: data.discovery_embedder,
    readFlows: data.read_flows,
    retryAfterLimitMs: data.retry_after_limit,
    callLimitMs: data.call_limit,
    runsAtOnce: data.runs_at_once,
    ...(data.request_rate && { requestRate: data.request_rate }),
    ...(data.log_level !== undefined && { logLevel: data.log_level }),
    ...(secret && { secret }),
  }
}

/** How a message names the entries of a list or a map: by name, id or number. */
function entriesOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  if (!Array.isArray(value)) return Object.keys(value)
  return value.map((entry: unknown, at) => {
    if (typeof entry === 'string') return entry
    const id = typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined
    return typeof id === 'string' ? id : `number ${at + 1}`
  })
}

/** The paths among the catalogs. */
function pathsOf(catalogs: Settings['catalogs'], cwd: string): string[] {
  return catalogs.flatMap((given) => (typeof given === 'string' ? [resolve(cwd, given)] : []))
}

const LOCAL_REDIS = 'redis://127.0.0.1:6379'

/** `store` is a kind, or a URL that implies one. */
function storeOf(store: string, prefix: string): Pick<Config, 'store' | 'redis'> {
  const kind = storeKindOf(store)
  if (kind === undefined) throw new Error('The schema of the settings accepted an unknown store.')
  return { store: kind, redis: { url: store === kind ? LOCAL_REDIS : store, prefix } }
}

/** Settings that are valid, but not together. */
function conflictsOf(data: Settings): Problem[] {
  const isOpen = (data.auth === 'off' || data.auth === 'optional') && !isLoopback(data.host)
  const issuers = data.jwt.map(({ issuer }) => issuer)
  const twice = issuers.filter((issuer, at) => issuers.indexOf(issuer) !== at)
  const aimless = data.jwt.filter(({ audience }) => audience === undefined && data.public_url === undefined)
  return [
    ...(isOpen && !data.allow_unauthenticated
      ? [problem('open_to_everybody', { host: data.host, mode: data.auth })]
      : []),
    ...(data.session_scope === 'tenant' && data.auth_resolution === 'delegated'
      ? [problem('scope_conflict', {})]
      : []),
    ...twice.map((issuer) => problem('issuer_twice', { issuer })),
    ...aimless.map(({ issuer }) => problem('audience_missing', { issuer })),
  ]
}

function readSettingsFile(path: string): Result<Record<string, unknown>> {
  try {
    const open = whyOpen(path)
    if (open !== undefined) return failed([problem('config_unreadable', { path, reason: open })])
    const value: unknown = parse(readFileSync(path, 'utf8'), { maxAliasCount: 0 }) ?? {}
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return failed([problem('config_unreadable', { path, reason: 'it must hold settings by name' })])
    }
    return ok({ ...value })
  } catch (error) {
    const reason = reasonOf(error)
    return failed([problem('config_unreadable', { path, reason })])
  }
}

/** The file grants rights and names secrets, so only this user and root may change it. Windows has no such mode bits. */
function whyOpen(path: string): string | undefined {
  const { getuid, getgid } = process
  return getuid && getgid
    ? whyOthersCanWrite(statSync(path), { uid: getuid.call(process), gid: getgid.call(process) })
    : undefined
}

/** The keys inside settings that are lists of objects. */
const KEYS_IN = new Map<PropertyKey | undefined, readonly string[]>([
  ['catalogs', ENTRY_KEYS],
  ['jwt', ISSUER_KEYS],
  ['own_secrets', OWNER_KEYS],
  ['lifetimes', LIFETIME_NAMES],
  ['workspaces', WORKSPACE_KEYS],
  ['mcp_servers', MCP_SERVER_KEYS],
])

function problemsOfParse(error: z.ZodError, whereOf: (name: string) => string): Problem[] {
  return error.issues.flatMap((issue): Problem[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const similar = nearest(key, KEYS_IN.get(issue.path[0]) ?? SETTING_NAMES)
        const name = [...issue.path, key].join('.')
        const where = whereOf(String(issue.path[0] ?? key))
        return problem('unknown_setting', { name, where, similar }, { nearest: similar })
      })
    }
    const [setting = '', ...inner] = issue.path.map(String)
    const name = [setting, ...inner].join('.')
    const [where, reason] = [whereOf(setting), objection(issue)]
    const { flag } = describeSettings().find((described) => described.name === setting) ?? {}
    return [
      where === COMMAND_LINE && flag
        ? problem('bad_value', { flag: [`--${flag.name}`, ...inner].join(' '), reason }, { path: name })
        : problem('invalid_setting', { name, where, reason }, { path: name }),
    ]
  })
}
