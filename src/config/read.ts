import { readFileSync } from 'node:fs'
import { availableParallelism, homedir } from 'node:os'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { type AccessConfig, accessOf, accessSettings, isLoopback, ISSUER_KEYS } from './access.ts'
import { failed, ok, type Problem, type Result } from '../base/diagnostic.ts'
import { nearest } from '../base/suggest.ts'
import { problem } from './problems.ts'

/*
 * The settings, by the names that the configuration file uses. Each has the same name in the environment in capitals
 * behind `PLASMID_` (lists separated as PATH is), and a flag where the command line has one. A flag wins over the
 * environment, the environment over the file.
 */
/** A record by catalog id, which may also be written as a list of `ID=VALUE`. */
function byCatalog<Value extends z.ZodType>(value: Value) {
  return z.preprocess(fromPairs, z.record(z.string().min(1), value)).default({})
}

/** `https://api.example.com` and nothing behind it, as a URL writes it. */
const anOrigin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    'must be an origin: https://host[:port]',
  )
const SECONDS = { s: 1, m: 60, h: 3600 } as const
/** `10/s`, `600/m` or `5000/h`; so many at once as come in a second, one at least, unless `burst 20` says it. */
const aRate = z
  .string()
  .regex(/^[1-9]\d{0,6}\/[smh]( burst [1-9]\d{0,6})?$/, 'must look like `10/s`, `600/m` or `5000/h burst 20`')
  .transform((text) => {
    const [, count, unit, burst] = /^(\d+)\/([smh])(?: burst (\d+))?$/.exec(text) ?? []
    const perSecond = Number(count) / SECONDS[unit === 's' || unit === 'm' ? unit : 'h']
    return { perSecond, burst: burst === undefined ? Math.max(1, Math.floor(perSecond)) : Number(burst) }
  })

const MOST_WORKERS = 256

const settings = z.strictObject({
  /** Catalog folders and documents, read in this order; of two with one id the later holds. */
  catalogs: z.array(z.string().min(1)).default([]),
  /** Also the catalogs that come with Plasmid. */
  shipped: z.boolean().default(true),
  /** Where a catalog's API is, by catalog id: an origin with an optional path. */
  backends: byCatalog(z.url({ protocol: /^https?$/ })),
  /**
   * What becomes of a program's writes, by catalog id; `*` for all others. `allow`: they run at once. `review` (where
   * nothing is said): they run from a plan that was shown. `confirm`: once a person agreed to that plan. `deny`: never.
   */
  effects: byCatalog(z.enum(['allow', 'review', 'confirm', 'deny'])),
  /**
   * What a loop of changes does after a row that the API refused, by catalog id; `*` for all others. `stop` (where nothing is
   * said): the rows behind it are not sent. `continue`: they are.
   */
  loops: byCatalog(z.enum(['stop', 'continue'])),
  /** How often this process may ask an API, by its origin: `https://api.example.com: 10/s`. */
  rates: z.preprocess(fromPairs, z.record(anOrigin, aRate)).default({}),
  /** A kind, or the URL of a Redis server; with a password, better from the environment than from a file that is shared. */
  store: z
    .string()
    .refine((text) => STORES.test(text), { error: 'expected sqlite, memory, redis or redis://host:port' })
    .default('sqlite'),
  /** Tells deployments on one server apart. */
  redis_prefix: z.string().default(''),
  /** Default: `$XDG_DATA_HOME/plasmid`, else `~/.local/share/plasmid`. */
  data_dir: z.string().min(1).optional(),
  host: z.string().min(1).default('127.0.0.1'),
  /** 0: any that is free. */
  port: z.int().min(0).max(65535).default(7750),
  /** Processes that answer on the port; `auto`: one for each core. */
  workers: z
    .union([z.int().min(1).max(MOST_WORKERS), z.literal('auto')], `expected 1 to ${MOST_WORKERS}, or auto`)
    .default(1),
  /**
   * `token`: requests carry the token of the data directory. `required`: they carry an API key or a token of an issuer.
   * `optional`: they may, and who carries none is nobody. `off`: whoever reaches the port is the local user, or nobody
   * beyond loopback.
   */
  auth: z.enum(['token', 'off', 'optional', 'required']).default('token'),
  ...accessSettings,
  /** Of standard error; where nothing is said, `info` of a server and `warn` of MCP over standard input and output. */
  log_level: z.enum(['silent', 'error', 'warn', 'info', 'debug']).optional(),
  /** Agree to serve everybody who reaches an address beyond loopback. */
  allow_unauthenticated: z.boolean().default(false),
  /** Host names, besides loopback's own, that `Host` and `Origin` may carry. */
  allowed_hosts: z.array(z.string().min(1)).default([]),
})

/** Everything that an operator can choose, checked. Paths are absolute. */
export interface Config {
  readonly catalogs: readonly string[]
  readonly shipped: boolean
  readonly backends: Readonly<Record<string, string>>
  readonly effects: Readonly<Record<string, 'allow' | 'review' | 'confirm' | 'deny'>>
  readonly loops: Readonly<Record<string, 'stop' | 'continue'>>
  /** By origin: so many requests in a second, and so many at once. */
  readonly rates: Readonly<Record<string, { readonly perSecond: number; readonly burst: number }>>
  readonly store: 'sqlite' | 'memory' | 'redis'
  readonly redis: { readonly url: string; readonly prefix: string }
  readonly dataDir: string
  readonly host: string
  readonly port: number
  /** Processes that answer on the port. */
  readonly workers: number
  readonly auth: 'token' | 'off' | 'optional' | 'required'
  readonly access: AccessConfig
  readonly allowedHosts: readonly string[]
  readonly logLevel?: 'silent' | 'error' | 'warn' | 'info' | 'debug'
  /** `PLASMID_SECRET`: from the environment only, so that it stands in no file that is shared; the newest first. */
  readonly secret?: string
}

/** Where settings come from. */
export interface ConfigSources {
  /** By the names of the settings; absent ones are undefined. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
  /** A YAML or JSON file (`--config`, else `PLASMID_CONFIG`). */
  readonly file?: string | undefined
  /** Paths are relative to this. */
  readonly cwd: string
}

type Setting = keyof typeof settings.shape
const NAMES = settings.keyof().options
const ENV_PREFIX = 'PLASMID_'
/** Names behind the prefix that are no settings. */
const OTHER_ENV = ['CONFIG', 'SECRET']

/**
 * One validated configuration from flags, environment and file, or everything that is wrong with them.
 *
 * Gives `unknown_setting`, `invalid_setting`, `config_unreadable`, `open_to_everybody`, `scope_conflict`, `issuer_twice`
 * or `audience_missing`.
 */
export function readConfig(sources: ConfigSources): Result<Config> {
  const path = sources.file ?? sources.env['PLASMID_CONFIG']
  const file = path === undefined ? ok({}) : readSettingsFile(resolve(sources.cwd, path))
  if (!file.ok) return file
  const environment = settingsOfEnvironment(sources.env)
  const given = new Map<string, { readonly value: unknown; readonly where: string }>()
  for (const [name, value] of Object.entries(file.value))
    given.set(name, { value, where: `the file ${path}` })
  for (const [name, value] of environment.values) given.set(name, { value, where: 'the environment' })
  for (const [name, value] of Object.entries(sources.flags)) {
    if (value !== undefined) given.set(name, { value, where: 'the command line' })
  }
  const parsed = settings.safeParse(Object.fromEntries([...given].map(([name, { value }]) => [name, value])))
  const problems = [
    ...environment.problems,
    ...(parsed.success
      ? []
      : problemsOfParse(parsed.error, (name) => given.get(name)?.where ?? 'the configuration')),
  ]
  if (!parsed.success || problems.length > 0) return failed(problems)
  return finish(parsed.data, sources)
}

/** What `store` may be. */
const STORES = /^(?:sqlite|memory|redis|rediss?:\/\/\S+)$/
const LOCAL_REDIS = 'redis://127.0.0.1:6379'

/** A URL in the place of a kind says both. */
function storeOf(store: string, prefix: string): Pick<Config, 'store' | 'redis'> {
  const isUrl = store.includes('://')
  const kind = store === 'memory' || store === 'sqlite' ? store : 'redis'
  return { store: kind, redis: { url: isUrl ? store : LOCAL_REDIS, prefix } }
}

function finish(data: z.output<typeof settings>, { env, cwd }: ConfigSources): Result<Config> {
  const conflicts = conflictsOf(data)
  if (conflicts.length > 0) return failed(conflicts)
  const secret = env['PLASMID_SECRET']
  return ok({
    catalogs: data.catalogs.map((path) => resolve(cwd, path)),
    shipped: data.shipped,
    backends: data.backends,
    effects: data.effects,
    loops: data.loops,
    rates: data.rates,
    ...storeOf(data.store, data.redis_prefix),
    dataDir: resolve(cwd, data.data_dir ?? defaultDataDir(env)),
    host: data.host,
    port: data.port,
    workers: data.workers === 'auto' ? availableParallelism() : data.workers,
    auth: data.auth,
    access: accessOf(data, cwd),
    allowedHosts: data.allowed_hosts,
    ...(data.log_level === undefined ? {} : { logLevel: data.log_level }),
    ...(secret ? { secret } : {}),
  })
}

type Settings = z.output<typeof settings>

/** Settings that are each right, but not together. */
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

/** The XDG base directory for data; a relative one counts for nothing, as that standard says. */
function defaultDataDir(env: ConfigSources['env']): string {
  const base = env['XDG_DATA_HOME']
  return join(base && isAbsolute(base) ? base : join(homedir(), '.local', 'share'), 'plasmid')
}

function readSettingsFile(path: string): Result<Record<string, unknown>> {
  try {
    const value: unknown = parse(readFileSync(path, 'utf8'), { maxAliasCount: 0 }) ?? {}
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return failed([problem('config_unreadable', { path, reason: 'it must hold settings by name' })])
    }
    return ok({ ...value })
  } catch (error) {
    return failed([
      problem('config_unreadable', { path, reason: error instanceof Error ? error.message : String(error) }),
    ])
  }
}

function settingsOfEnvironment(env: ConfigSources['env']) {
  const values = new Map<string, unknown>()
  const problems: Problem[] = []
  const names = NAMES.map((name) => name.toUpperCase())
  // The name that existing hosts set.
  if (env['PLASM_AUTH_RESOLUTION'] === 'delegated') values.set('auth_resolution', 'delegated')
  for (const [variable, text] of Object.entries(env)) {
    // An empty variable is an unset one.
    if (!variable.startsWith(ENV_PREFIX) || !text) continue
    const name = variable.slice(ENV_PREFIX.length)
    if (OTHER_ENV.includes(name)) continue
    const setting = NAMES[names.indexOf(name)]
    if (setting === undefined) {
      const similar = nearest(name, [...names, ...OTHER_ENV]).map((one) => ENV_PREFIX + one)
      problems.push(
        problem(
          'unknown_setting',
          { name: variable, where: 'the environment', similar },
          { nearest: similar },
        ),
      )
    } else values.set(setting, valueOfText(setting, text))
  }
  return { values, problems }
}

/** The text of an environment variable as the setting's type; what does not fit stays text, for the schema to refuse. */
function valueOfText(setting: Setting, text: string): unknown {
  switch (setting) {
    case 'catalogs':
    case 'allowed_hosts':
      return text.split(delimiter).filter((part) => part !== '')
    case 'backends':
    case 'effects':
    case 'loops':
    case 'rates':
      return text.split(',').filter((part) => part !== '')
    case 'shipped':
    case 'allow_unauthenticated':
      return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text
    case 'port':
    case 'workers':
      return /^\d{1,5}$/.test(text) ? Number(text) : text
    case 'jwt':
      return valueOfYaml(text)
    case 'keys_dir':
    case 'policy':
    case 'session_scope':
    case 'refs':
    case 'auth_resolution':
    case 'public_url':
    case 'store':
    case 'redis_prefix':
    case 'data_dir':
    case 'log_level':
    case 'host':
    case 'auth':
      return text
  }
}

/** `ID=VALUE` pairs as a record; without an `=` the value is empty, which the schemas refuse. */
function fromPairs(given: unknown): unknown {
  if (!Array.isArray(given)) return given
  return Object.fromEntries(
    given.map(String).map((pair) => {
      const at = pair.indexOf('=')
      return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

/** A list of objects as YAML or JSON writes it; what is neither stays text, for the schema to refuse. */
function valueOfYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 })
  } catch {
    return text
  }
}

function problemsOfParse(error: z.ZodError, whereOf: (name: string) => string): Problem[] {
  return error.issues.flatMap((issue): Problem[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((name) => {
        const similar = nearest(name, issue.path[0] === 'jwt' ? ISSUER_KEYS : NAMES)
        return problem('unknown_setting', { name, where: whereOf(name), similar }, { nearest: similar })
      })
    }
    const path = issue.path.map(String)
    const name = path.join('.')
    return [
      problem(
        'invalid_setting',
        { name, where: whereOf(path[0] ?? ''), reason: reasonOf(issue) },
        { path: name },
      ),
    ]
  })
}

/** In lower case at its start, since it stands inside a sentence. */
function reasonOf(issue: z.core.$ZodIssue): string {
  // What is wrong with a key says more than that it is wrong.
  const { message } = (issue.code === 'invalid_key' ? issue.issues[0] : undefined) ?? issue
  return message.charAt(0).toLowerCase() + message.slice(1)
}
