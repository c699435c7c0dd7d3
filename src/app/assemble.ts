import { randomBytes } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Caller } from '../access/caller.ts'
import type { SharedTexts } from '../access/shared-texts.ts'
import { deploymentSecrets } from '../adapters/auth/deployment-secret.ts'
import type { KeyRing } from '../adapters/auth/api-keys.ts'
import { noPolicy } from '../adapters/auth/policy-file.ts'
import { authProblem } from '../adapters/auth/problems.ts'
import { type Auth, authOf, keysOf, policyOf } from '../adapters/auth/setup.ts'
import { publishedPolicy, publishPolicy } from '../adapters/auth/shared-policy.ts'
import { fileCatalogs, readCatalogPath } from '../adapters/catalogs/files.ts'
import { StoreError } from '../adapters/stores/problems.ts'
import { httpWire } from '../adapters/wire/http.ts'
import { secretReader } from '../adapters/wire/secrets.ts'
import { counted } from '../base/counted.ts'
import type { Clock } from '../base/clock.ts'
import type { Secrets } from '../base/hash.ts'
import { failed, ok, type Problem, type Result } from '../base/diagnostic.ts'
import { visible } from '../base/one-line.ts'
import { checkReport, type CheckReport } from '../catalog/report.ts'
import type { Reading } from '../catalog/source.ts'
import type { Config } from '../config/read.ts'
import type { Finding } from './doctor.ts'
import { every } from './every.ts'
import { drainable } from './drain.ts'
import type { Gateway } from '../engine/contract.ts'
import { createGateway } from '../engine/gateway.ts'
import { DEFAULT_LIMITS } from '../engine/parts.ts'
import type { Store } from '../engine/store.ts'
import { DEFAULT_BUDGET } from '../execution/budget.ts'
import type { Listening } from '../surfaces/http/listen.ts'
import type { ProtectedResource } from '../surfaces/http/resource.ts'
import { refreshed } from './refreshed.ts'
import { slipsOf } from '../config/unused-names.ts'
import { openTelemetry, type Telemetry } from './telemetry.ts'
import { VERSION } from '../version.ts'

/** The house, put together: the engine, and its surfaces for whoever asks for them. */
export interface Assembly {
  readonly gateway: Gateway
  /** Who this process itself works for. */
  readonly caller: Caller
  /** What came up while catalogs were read: one line each, for the operator. */
  readonly notices: readonly string[]
  /** Where `listen` listens. */
  readonly address: { readonly host: string; readonly port: number }
  /** HTTP with MCP at `/mcp`, as a fetch handler. */
  readonly app: () => Promise<{
    readonly fetch: (request: Request, env?: object) => Response | Promise<Response>
  }>
  /** Serves `app` at the configured address. Rejects where it cannot be had. */
  readonly listen: () => Promise<Listening>
  /** Serves MCP over this process's input and output. */
  readonly mcpOverStdio: () => Promise<{ readonly close: () => Promise<void> }>
  /** Waits for runs that are under way, then lets go of everything. */
  readonly shutDown: () => Promise<void>
}

const clock: Clock = { now: () => Date.now() }
const newId = () => randomBytes(16).toString('hex')

/**
 * Builds everything by the configuration. Nothing listens yet.
 *
 * Gives the problems of the secret and token files, of keys, tokens and policy, of the backends and of the store.
 */
export async function assemble(config: Config): Promise<Result<Assembly>> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const secrets = await deploymentSecrets(config.dataDir, config.secret)
  if (!secrets.ok) return secrets
  const readSecret = secretReader(process.env)
  const paths = [...config.catalogs, ...(config.shipped ? await shippedCatalogs() : [])]
  const catalogs = await fileCatalogs(paths, { backends: config.backends })
  if (catalogs.problems.length > 0) return failed(catalogs.problems)
  const opened = await openStore(config, secrets.value)
  if (!opened.ok) return opened
  const { store, warnings, texts } = opened.value
  const auth = await authFor(config, readSecret, texts)
  if (!auth.ok) {
    await store.shutDown()
    return auth
  }
  const wire = httpWire({
    secrets: readSecret,
    // Whoever gives a backend by hand means that address, wherever its name leads.
    allowPrivate: (catalog, origin) => originOf(config.backends, catalog) === origin,
    userAgent: `plasmid/${VERSION}`,
    rateOf: (origin) => own(config.rates, origin),
  })
  const telemetry = openTelemetry()
  if (config.logLevel !== undefined) await telemetry.log(config.logLevel)
  const { gateway, settled } = drainable(
    createGateway({
      store,
      emit: telemetry.emit,
      catalogs: catalogs.source,
      wire,
      clock,
      secrets: secrets.value,
      newId,
      every,
      limits: DEFAULT_LIMITS,
      budget: DEFAULT_BUDGET,
      effectPolicy: (catalog) => own(config.effects, catalog) ?? own(config.effects, '*') ?? 'review',
      loopPolicy: (catalog) => own(config.loops, catalog) ?? own(config.loops, '*') ?? 'stop',
    }),
  )
  return ok(
    house(config, gateway, [{ shutDown: settled }, wire, store], auth.value, telemetry, [
      ...catalogs.readings().flatMap(noticesOf),
      ...[...warnings, ...slipsOf(config, auth.value.policy, catalogs.source.current())].map(
        ({ code, message }) => `${code}: ${message}`,
      ),
    ]),
  )
}

function authFor(
  config: Config,
  secretOf: (reference: string) => Promise<string>,
  texts: SharedTexts | undefined,
): Promise<Result<Auth>> {
  return authOf(
    { ...config.access, mode: config.auth, dataDir: config.dataDir },
    { clock, newId, secretOf, fetchDocument: fetch, texts },
  )
}

function house(
  config: Config,
  gateway: Gateway,
  ports: readonly { readonly shutDown: () => Promise<void> }[],
  { verifier, local }: Auth,
  telemetry: Telemetry,
  notices: readonly string[],
): Assembly {
  const atEnd: (() => Promise<void>)[] = []
  const { report } = telemetry
  const app: Assembly['app'] = async () => {
    const [{ httpApp }, { mcpOverHttp }] = await Promise.all([
      import('../surfaces/http/app.ts'),
      import('../surfaces/mcp/adapter.ts'),
    ])
    const mcp = mcpOverHttp({ gateway, version: VERSION, report })
    atEnd.push(mcp.close)
    const { publicUrl } = config.access
    const named = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
    const hosts = [...config.allowedHosts, ...named, config.host]
    const resource = protectedResource(config)
    return httpApp({
      gateway,
      verifier,
      hosts,
      version: VERSION,
      mcp: mcp.fetch,
      report,
      telemetry: await telemetry.watch(),
      ...(resource ? { resource } : {}),
    })
  }
  return {
    gateway,
    caller: local,
    notices,
    address: { host: config.host, port: config.port },
    app,
    listen: async () => {
      const [{ listen }, handler] = await Promise.all([import('../surfaces/http/listen.ts'), app()])
      const listening = await listen(handler, config)
      await telemetry.log('info')
      // Whoever follows a trace would hold the server up until it is cut off.
      const close = (graceMs: number) => {
        telemetry.endStreams()
        return listening.close(graceMs)
      }
      return { ...listening, close }
    },
    mcpOverStdio: async () => {
      const { mcpOverStdio } = await import('../surfaces/mcp/adapter.ts')
      await telemetry.log('warn')
      return mcpOverStdio({ gateway: refreshed(gateway), version: VERSION, report }, local)
    },
    shutDown: async () => {
      await Promise.all(atEnd.map((end) => end()))
      for (const port of ports) await port.shutDown()
      await telemetry.shutDown()
    },
  }
}

async function openStore(config: Config, secrets: Secrets, onlyLooks = false): Promise<Result<Opened>> {
  try {
    return ok(await OPENERS[config.store](config, secrets, onlyLooks))
  } catch (error) {
    if (error instanceof StoreError) return failed([error.problem])
    throw error
  }
}

interface Opened {
  readonly store: Store
  /** What the operator should know about it. */
  readonly warnings: readonly Problem[]
  /** What its nodes share besides sessions, where it has several. */
  readonly texts?: SharedTexts
}

/** The one place that knows the stores; each is loaded only where it is chosen. */
const OPENERS: Record<
  Config['store'],
  (config: Config, secrets: Secrets, onlyLooks: boolean) => Promise<Opened>
> = {
  memory: async () => {
    const { memoryStore } = await import('../adapters/stores/memory.ts')
    return { store: memoryStore({ clock }), warnings: [] }
  },
  sqlite: async ({ dataDir }) => {
    const { sqliteStore } = await import('../adapters/stores/sqlite/store.ts')
    return { store: await sqliteStore({ path: join(dataDir, 'plasmid.db'), clock }), warnings: [] }
  },
  redis: async ({ redis, secret: given }, secrets, onlyLooks) => {
    const { redisStore } = await import('../adapters/stores/redis/store.ts')
    const store = await redisStore({ ...redis, secrets, onlyLooks, isSecretShared: given !== undefined })
    return { store, warnings: store.warnings, texts: store.texts }
  },
}

/** A catalog's id comes from outside: it may be any word, `constructor` too. */
function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

function originOf(backends: Config['backends'], catalog: string): string | undefined {
  const backend = own(backends, catalog)
  return backend === undefined ? undefined : new URL(backend).origin
}

/** A catalog that cannot be read is left out, and the operator told why; warnings wait for `catalog check`. */
function noticesOf({ path, errors, warnings }: Reading): string[] {
  const lines = errors.map(({ code, message, file = path, line }) =>
    visible(`${file}${line === undefined ? '' : `:${line}`}: ${code}: ${message}`),
  )
  if (errors.length === 0 && warnings.length > 0)
    lines.push(`${path}: ${counted(warnings.length, 'warning')}: see \`plasmid catalog check ${path}\``)
  return lines
}

/** What clients are told who look for whose tokens are taken here; nothing where none are. */
function protectedResource({ access, auth }: Config): ProtectedResource | undefined {
  const issuers = access.jwt.map(({ issuer }) => issuer).filter((issuer) => /^https?:/.test(issuer))
  if (issuers.length === 0 || auth === 'off' || auth === 'token') return undefined
  return {
    ...(access.publicUrl === undefined ? {} : { origin: access.publicUrl }),
    issuers,
    scopes: [...new Set(access.jwt.flatMap(({ scopes }) => scopes))],
  }
}

/** What an operator changes while servers run: API keys, and the policy where it is kept in the store. */
export interface Desk {
  readonly keys: KeyRing
  readonly policy: {
    readonly set: (text: string, file: string) => Promise<Result<unknown>>
    readonly show: () => Promise<string | undefined>
  }
  readonly close: () => Promise<void>
}

/** Opens what the operator changes; of a store that nodes share, without taking it over. */
export async function openDesk(config: Config): Promise<Result<Desk>> {
  const opened = config.store === 'redis' ? await openStoreToLook(config) : undefined
  if (opened && !opened.ok) return opened
  const texts = opened?.value.texts
  return ok({
    keys: keysOf({ ...config.access, dataDir: config.dataDir }, { clock, texts }),
    policy: {
      set: async (text, file) =>
        texts ? publishPolicy(texts, text, file) : failed([authProblem('policy_not_shared', {})]),
      show: async () => texts && publishedPolicy(texts),
    },
    close: async () => opened?.value.store.shutDown(),
  })
}

async function openStoreToLook(config: Config): Promise<Result<Opened>> {
  const secrets = await deploymentSecrets(config.dataDir, config.secret)
  return secrets.ok ? openStore(config, secrets.value, true) : secrets
}

/** The catalogs that come with Plasmid: the folders beside this file's adapters. */
async function shippedCatalogs(): Promise<string[]> {
  const home = fileURLToPath(new URL('../adapters/catalogs/shipped/', import.meta.url))
  const entries = await readdir(home, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(home, entry.name))
}

/** Lets `work` use what nodes share, where they do and it can be had. */
async function withTexts<T>(
  config: Config,
  work: (texts: SharedTexts | undefined) => Promise<T>,
): Promise<T> {
  const opened = config.store === 'redis' ? await openStoreToLook(config) : undefined
  if (!opened?.ok) return work(undefined)
  try {
    return await work(opened.value.texts)
  } finally {
    await opened.value.store.shutDown()
  }
}

/** Looks at everything that a start by this configuration needs. */
export async function examineHouse(config: Config): Promise<readonly Finding[]> {
  const { examine } = await import('./doctor.ts')
  return examine(config, {
    now: () => clock.now(),
    layout: async () => {
      if (config.store !== 'sqlite') return undefined
      const { layoutOf } = await import('../adapters/stores/sqlite/open.ts')
      return layoutOf(join(config.dataDir, 'plasmid.db'))
    },
    openStore: async () => {
      const opened = await openStoreToLook(config)
      return opened.ok ? ok(opened.value.store) : opened
    },
    auth: () =>
      withTexts(config, async (texts) => {
        const auth = await authFor(config, secretReader(process.env), texts)
        return auth.ok ? [] : auth.problems
      }),
    catalogs: async () => {
      const paths = [...config.catalogs, ...(config.shipped ? await shippedCatalogs() : [])]
      const { readings, problems, source } = await fileCatalogs(paths, { backends: config.backends })
      const slips = await withTexts(config, async (texts) => {
        const policy = await policyOf(config.access.policy, { clock, texts })
        return slipsOf(config, policy.ok ? policy.value : noPolicy, source.current())
      })
      const read = readings().map(({ path, errors, warnings }) => ({
        path,
        errors,
        warnings: warnings.length,
      }))
      const wrong = problems.length > 0 ? [{ path: 'backends', errors: problems, warnings: 0 }] : []
      return { read: [...wrong, ...read], slips }
    },
  })
}

/** Reads catalogs and says what is right and wrong with each. */
export async function checkCatalogs(paths: readonly string[]): Promise<readonly CheckReport[]> {
  return (await Promise.all(paths.map((path) => readCatalogPath(path)))).map(checkReport)
}
