import { z } from 'zod'
import { accessSettings } from './access.ts'
import { catalogEntry } from './catalog-entry.ts'
import { flag, listOf, numeric, pairsOf, recordOf } from './from-text.ts'
import { mcpSettings } from './mcp-servers.ts'
import { type SettingFlag, settingInfo } from './setting-info.ts'
import { storeKindOf } from './store-kind.ts'
import { workspaceSettings } from './workspaces.ts'

/*
 * Every setting, declared once: name, type, default, description, and the flag with the commands that take it. The configuration
 * file uses these names, the environment the same in capitals behind `PLASMID_`. Help, the table in docs/operations.md and
 * docs/plasmid.schema.json derive from here; `read.ts` turns the settings into a `Config`.
 */

const byCatalog = <Value extends z.ZodType>(value: Value) => recordOf(z.string().min(1), value).default({})

/** `https://api.example.com` without a path, as a URL writes it. */
const anOrigin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    'must be an origin: https://host[:port]',
  )
const SECONDS = { s: 1, m: 60, h: 3600 } as const
/** `10/s`, `600/m` or `5000/h`. The burst is the number of requests per second, at least one, unless `burst 20` gives it. */
const aRate = z
  .string()
  .regex(/^[1-9]\d{0,6}\/[smh]( burst [1-9]\d{0,6})?$/, 'must look like `10/s`, `600/m` or `5000/h burst 20`')
  .transform((text) => {
    const [, count, unit, burst] = /^(\d+)\/([smh])(?: burst (\d+))?$/.exec(text) ?? []
    const perSecond = Number(count) / SECONDS[unit === 's' || unit === 'm' ? unit : 'h']
    return { perSecond, burst: burst === undefined ? Math.max(1, Math.floor(perSecond)) : Number(burst) }
  })

const NO_LIMIT = 'none'
const aRateOrNone = z.union([z.literal(NO_LIMIT).transform(() => undefined), aRate])

const DURATION_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const LONGEST_MS = 365 * DURATION_MS.d
/** `90s`, `10m`, `1h` or `30d`, in milliseconds. */
const aDuration = z
  .string()
  .regex(/^[1-9]\d{0,6}[smhd]$/, 'must look like `90s`, `10m`, `1h` or `30d`')
  .transform((text) => {
    const unit = text.at(-1)
    return Number.parseInt(text, 10) * DURATION_MS[unit === 's' || unit === 'm' || unit === 'h' ? unit : 'd']
  })
  .refine((ms) => ms <= LONGEST_MS, 'must be at most 365d')
const lifetime = aDuration.optional()
const lifetimes = z.strictObject({
  row: lifetime,
  record: lifetime,
  plan: lifetime,
  page: lifetime,
  snapshot: lifetime,
  effect: lifetime,
})
export const LIFETIME_NAMES: readonly string[] = lifetimes.keyof().options
/** A row is opened again from its record, which therefore lasts at least as long. */
const ordered = lifetimes.refine(({ row = 0, record = 30 * DURATION_MS.d }) => row <= record, {
  path: ['row'],
  when: ({ issues }) => issues.length === 0,
  error: 'must be at most `lifetimes.record` (30d by default)',
})

const MAX_WORKERS = 256

export const settings = z.strictObject({
  catalogs: listOf(z.union([z.string().min(1), catalogEntry]))
    .default([])
    .register(settingInfo, {
      about:
        'catalogs to serve: folders, documents, or entries with `id` and `source` as `plasmid add` writes them',
      more: 'see [catalogs](catalogs.md#adding-an-api); in the environment separated as `PATH` is; if two have the same id, the first is served, and the other is left out (`catalog_twice`); these come before the shipped ones',
      flag: { name: 'catalog', on: ['catalogs', 'engine'], value: 'PATH', repeatable: true },
    }),
  shipped: flag()
    .default(true)
    .register(settingInfo, {
      about: 'whether to serve the catalogs that come with Plasmid',
      flag: {
        name: 'no-shipped',
        on: ['catalogs', 'engine'],
        about: 'leave out the catalogs that come with Plasmid',
      },
    }),
  backends: byCatalog(z.url({ protocol: /^https?$/ })).register(settingInfo, {
    about: "the address of a catalog's API: an origin with an optional path",
    more: '`shop=http://127.0.0.1:9000/v1`',
    flag: { name: 'backend', on: ['catalogs', 'engine'], value: 'ID=ORIGIN', repeatable: true },
  }),
  effects: byCatalog(z.enum(['allow', 'review', 'confirm', 'deny'])).register(settingInfo, {
    about: 'policy for writes by catalog (*: all others): allow, review, confirm or deny',
    more: '`allow`: at once; `review`: from a plan that was shown; `confirm`: after a person agreed to that plan; `deny`: never',
    byDefault: 'review',
    flag: { name: 'effects', on: ['engine'], value: 'ID=POLICY', repeatable: true },
  }),
  loops: byCatalog(z.enum(['stop', 'continue'])).register(settingInfo, {
    about:
      'what a loop of changes does after the API refuses a row, by catalog (*: all others): stop or continue',
    more: 'a change whose outcome is unknown always ends the loop',
    byDefault: 'stop',
  }),
  read_flows: byCatalog(z.enum(['allow', 'review'])).register(settingInfo, {
    about:
      'policy for data of other catalogs in arguments of reads, by catalog (*: all others): allow or review',
    more: '`allow`: a plan shows it; `review`: such a program runs only from a plan that was shown',
    byDefault: 'allow',
  }),
  rates: recordOf(anOrigin, aRate).default({}).register(settingInfo, {
    about: 'how often one process may call an API, by origin',
    more: 'see [rates](#rates)',
  }),
  retry_after_limit: aDuration.default(60_000).register(settingInfo, {
    about: 'the longest wait that an API can impose on a caller by `Retry-After` or its stated limits',
    more: 'afterwards it is asked again',
    byDefault: '60s',
  }),
  call_limit: aDuration.default(30_000).register(settingInfo, {
    about: 'the longest time of one call to an API or an MCP server',
    more: 'a run as a whole has two minutes',
    byDefault: '30s',
  }),
  // A default of the output would also take the place of the undefined that `none` gives.
  request_rate: aRateOrNone.prefault('500/s burst 2000').register(settingInfo, {
    about: 'how often one principal may call this server over HTTP, or none: no limit',
    more: 'see [requests](#requests)',
    byDefault: '500/s burst 2000',
  }),
  discovery_embedder: z
    .enum(['static', 'minilm'])
    .default('static')
    .register(settingInfo, {
      about: 'how discovery compares goals with catalogs. static: by words; minilm: by sentences',
      more: 'see [discovery](#discovery)',
      flag: { name: 'discovery-embedder', on: ['engine'], value: 'static|minilm' },
    }),
  runs_at_once: numeric(z.int().min(1).max(1000)).default(4).register(settingInfo, {
    about: 'how many programs of one principal a process runs at a time: 1 to 1000',
    more: 'further ones wait; see [runs](#runs)',
  }),
  ...mcpSettings,
  store: z
    .string()
    .refine((text) => storeKindOf(text) !== undefined, {
      error: 'must be sqlite, memory, redis or redis://host:port',
    })
    .default('sqlite')
    .register(settingInfo, {
      about: 'where sessions are stored',
      more: '`redis` is the server at `127.0.0.1:6379`; also `rediss://…`; set a URL with a password in the environment',
      flag: { name: 'store', on: ['admin', 'engine'], value: 'sqlite|memory|redis|redis://HOST' },
    }),
  lifetimes: pairsOf(ordered).default({}).register(settingInfo, {
    about: 'how long stored data lives: row, record, plan, page, snapshot and effect',
    more: '`plan=30m,record=90d`; see [lifetimes](#lifetimes)',
  }),
  redis_prefix: z.string().default('').register(settingInfo, {
    about: 'separates deployments that share one Redis server',
  }),
  data_dir: z
    .string()
    .min(1)
    .optional()
    .register(settingInfo, {
      about: 'the folder of the store file, the secret, the token and the keys',
      byDefault: '$XDG_DATA_HOME/plasmid, else ~/.local/share/plasmid',
      flag: { name: 'data-dir', on: ['admin', 'catalogs', 'engine'], value: 'PATH' },
    }),
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .register(settingInfo, {
      about: 'the address to listen on',
      flag: { name: 'host', on: ['server'], value: 'ADDRESS' },
    }),
  port: numeric(z.int().min(0).max(65535))
    .default(7750)
    .register(settingInfo, {
      about: 'the port to listen on; 0: any free port',
      flag: { name: 'port', on: ['server'], value: 'PORT' },
    }),
  workers: numeric(
    z.union([z.int().min(1).max(MAX_WORKERS), z.literal('auto')], `must be 1 to ${MAX_WORKERS}, or auto`),
  )
    .default(1)
    .register(settingInfo, {
      about: `processes that answer on the port: 1 to ${MAX_WORKERS}, or auto: one for each core`,
      more: 'see [workers](#workers)',
      flag: { name: 'workers', on: ['server'], value: 'N|auto' },
    }),
  auth: z
    .enum(['token', 'off', 'optional', 'required'])
    .default('token')
    .register(settingInfo, {
      about:
        'credentials of requests. token: the token of the data directory; required: an API key or a token of an issuer; optional: the same, or anonymous; off: none',
      more: 'see [security](security.md), as for the next seven',
      flag: { name: 'auth', on: ['server'], value: 'token|required|optional|off' },
    }),
  ...accessSettings,
  ...workspaceSettings,
  allow_unauthenticated: flag()
    .default(false)
    .register(settingInfo, {
      about: 'permit auth off or optional on an address beyond loopback',
      flag: { name: 'allow-unauthenticated', on: ['server'] },
    }),
  allowed_hosts: listOf(z.string().min(1))
    .default([])
    .register(settingInfo, {
      about: "host names that Host and Origin may carry, besides loopback's",
      flag: { name: 'allow-host', on: ['server'], value: 'NAME', repeatable: true },
    }),
  log_level: z.enum(['silent', 'error', 'warn', 'info', 'debug']).optional().register(settingInfo, {
    about: 'what goes to standard error: silent, error, warn, info or debug',
    byDefault: 'see [logs](#logs)',
  }),
})

export type Settings = z.output<typeof settings>
export const SETTING_NAMES = settings.keyof().options

/** A setting as help and documentation show it. */
export interface SettingDescription {
  readonly name: string
  readonly about: string
  readonly more?: string | undefined
  /** Absent if the setting has none. */
  readonly byDefault: string | undefined
  readonly flag?: SettingFlag | undefined
}

/** All settings, in the order of the documentation. */
export function describeSettings(): readonly SettingDescription[] {
  return Object.entries(settings.shape).map(([name, schema]) => {
    const info = settingInfo.get(schema)
    if (!info) throw new Error(`The setting ${name} has no description.`)
    return { ...info, name, byDefault: info.byDefault ?? defaultOf(schema) }
  })
}

function defaultOf(schema: z.ZodType): string | undefined {
  const value = schema.safeParse(undefined).data
  const isEmpty = value === undefined || ['""', '[]', '{}'].includes(JSON.stringify(value))
  return isEmpty ? undefined : typeof value === 'string' ? value : JSON.stringify(value)
}
