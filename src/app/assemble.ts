import { ownValue } from '../base/json.ts'
import type { Caller } from '../access/caller.ts'
import { ownSecrets } from '../access/own-secrets.ts'
import { deploymentSecrets } from '../adapters/auth/deployment-secret.ts'
import type { Auth } from '../adapters/auth/setup.ts'
import { liveCatalogs } from './catalogs/live.ts'

import { diskWorkspaces } from '../adapters/workspaces/workspaces.ts'
import { threadRenderer } from '../adapters/templates/renderer.ts'
import type { OpenedModel } from '../adapters/embedder/sentences/model.ts'
import { secretReader } from '../adapters/wire/secrets.ts'
import { counted } from '../base/text/counted.ts'
import { failed, ok, type Result, type Problem } from '../base/diagnostic.ts'
import { visible } from '../base/text/one-line.ts'
import type { CatalogSet } from '../catalog/lookup.ts'
import { joined, type Reading } from '../catalog/source.ts'
import type { Config } from '../config/read.ts'
import { authFor } from './auth.ts'
import { connectClientServers } from './client-servers.ts'
import { dataDirWarnings, makeDataDir } from './data-dir.ts'
import { every } from './every.ts'
import type { Gateway } from '../engine/contract.ts'
import type { Conversations } from '../engine/conversation/conversations.ts'
import { createEngine } from '../engine/gateway.ts'
import { limitsWith } from '../engine/parts.ts'
import { DEFAULT_BUDGET } from '../execution/budget.ts'
import type { HttpApp } from '../surfaces/http/app.ts'
import type { Listening } from '../surfaces/http/listen.ts'
import type { AcpParts } from '../surfaces/acp/parts.ts'
import type { AcpOverStdio } from '../surfaces/acp/stdio.ts'
import type { McpOverStdio } from '../surfaces/mcp/adapter.ts'
import type { ProtectedResource } from '../surfaces/http/admission/resource.ts'
import type { Faulty } from '../surfaces/http/routes/health.ts'
import { unusedNames } from '../config/unused-names.ts'
import { readiness } from './readiness.ts'
import { openStore } from './stores.ts'
import { loginsOf } from './logins.ts'
import { unsetSecrets } from './unset-secrets.ts'
import { pause } from './pause.ts'
import { newId, systemClock as clock } from './system.ts'
import { openTelemetry, type Telemetry } from './telemetry.ts'
import type { WorkerLink } from './workers/link.ts'
import type { Rate } from '../base/token-bucket.ts'
import { type OpenedMcp, openMcp } from './mcp.ts'
import { wireOnDemand } from './wire-on-demand.ts'
import { VERSION } from '../version.ts'

/** The assembled server: the engine, and its surfaces on demand. */
export interface Assembly {
  readonly gateway: Gateway
  /** What serving the Agent Client Protocol needs. */
  readonly acp: AcpParts
  /** The caller that this process itself acts for. */
  readonly caller: Caller
  /** Findings from reading the catalogs: one line each, for the operator. */
  readonly notices: readonly string[]
  /** The secrets that calls of the catalogs need and that are not set: one line each, for who starts a server. */
  readonly unsetSecrets: () => Promise<readonly string[]>
  /** The address that `listen` uses. */
  readonly address: { readonly host: string; readonly port: number }
  /** HTTP with MCP at `/mcp`, as a fetch handler. */
  readonly app: () => Promise<HttpApp>
  /** Serves `app` at the configured address. Rejects if it cannot be bound. */
  readonly listen: () => Promise<Listening>
  /** Serves MCP over standard input and output. */
  readonly mcpOverStdio: () => Promise<McpOverStdio>
  /** Serves the Agent Client Protocol over standard input and output. */
  readonly acpOverStdio: () => Promise<AcpOverStdio>
  /** Waits for runs in progress, then releases all resources. */
  readonly shutDown: () => Promise<void>
}

/**
 * Builds everything from the configuration. Does not listen yet.
 *
 * @param again reads the configuration anew, so that its catalogs change while the server runs
 * @param worker set if this process is one of several that answer on one port
 *
 * Gives `data_dir_unusable`, and the problems of the secret and token files, of keys, tokens and policy, of the backends and of the store.
 */
export async function assemble(
  config: Config,
  worker?: WorkerLink,
  again?: () => Promise<Result<Config>>,
): Promise<Result<Assembly>> {
  const unusable = await makeDataDir(config.dataDir)
  if (unusable) return failed([unusable])
  const secrets = await deploymentSecrets(config.dataDir, config.secret)
  if (!secrets.ok) return secrets
  const readSecret = secretReader(process.env)
  const telemetry = openTelemetry(worker)
  const model = await sentenceModel(config, telemetry.report)
  if (!model.ok) return model
  const catalogs = await liveCatalogs(config, again, (line) => telemetry.report(new Error(line)))
  if (catalogs.problems.length > 0) return failed(catalogs.problems)
  const opened = await openStore(config, secrets.value)
  if (!opened.ok) {
    await catalogs.shutDown()
    return opened
  }
  const { store, warnings, texts } = opened.value
  const auth = await authFor(config, readSecret, texts)
  if (!auth.ok) {
    await catalogs.shutDown()
    await store.shutDown()
    return auth
  }
  const processes = worker ? config.workers : 1
  const wire = wireOnDemand({
    secrets: readSecret,
    logins: loginsOf(config),
    referenceFor: ownSecrets(config.access.ownSecrets),
    // Trust an explicit backend, even a private address.
    allowPrivate: (catalog, origin) => originOf(givenServers(catalogs.entries(), config), catalog) === origin,
    userAgent: `plasmid/${VERSION}`,
    isShared: worker !== undefined,
    mostWaitMs: config.retryAfterLimitMs,
    rateOf: (origin) => shareOf(ownValue(config.rates, origin), processes),
  })
  const templates = threadRenderer()
  if (config.logLevel !== undefined) await telemetry.log(config.logLevel)
  const workspaces = await diskWorkspaces(config.workspaces)
  const mcp = await openMcp(config, {
    workspaces,
    secret: readSecret,
    emit: telemetry.emit,
    isTaken: (name) => source.current().byId.has(name),
  })
  const source = joined(catalogs.source, mcp.catalogs)
  const { gateway, conversations, prepareDiscovery, settled } = createEngine({
    store,
    isShared: worker !== undefined,
    emit: telemetry.emit,
    catalogs: source,
    mcp: mcp.mcp,
    workspaces,
    wire,
    render: templates.render,
    wordTable: async () => (await import('../adapters/embedder/load.ts')).loadWordTable(),
    ...(model.value && { sentenceModel: model.value }),
    clock,
    pause,
    secrets: secrets.value,
    newId,
    every,
    limits: { ...limitsWith(config.lifetimes), runsPerPrincipal: config.runsAtOnce },
    budget: { ...DEFAULT_BUDGET, callMilliseconds: config.callLimitMs },
    effectPolicy: (catalog) => ownValue(config.effects, catalog) ?? ownValue(config.effects, '*') ?? 'review',
    readFlowPolicy: (catalog) =>
      ownValue(config.readFlows, catalog) ?? ownValue(config.readFlows, '*') ?? 'allow',
    loopPolicy: (catalog) => ownValue(config.loops, catalog) ?? ownValue(config.loops, '*') ?? 'stop',
  })
  return ok(
    servingWith({
      config,
      gateway,
      conversations,
      connect: connectClientServers(mcp, workspaces, config.mcpWaitMs),
      mcp,
      loadAhead: wire.load,
      resources: [
        catalogs,
        { shutDown: settled },
        ...(model.value ? [followedBy(prepareDiscovery), model.value] : []),
        mcp,
        wire,
        templates,
        store,
      ],
      auth: auth.value,
      requestRate: shareOf(config.requestRate, processes),
      faulty: readiness({ config, store, policy: auth.value.policy, clock }),
      telemetry,
      notices: [
        ...(await dataDirWarnings(config.dataDir)),
        ...[...catalogs.readings, ...mcp.readings()].flatMap(noticesOf),
        ...[...warnings, ...unusedNames(config, auth.value.policy, source.current())].map(noticeOf),
      ],
      unsetSecrets: async () => (await unsetSecrets(servedBy(source.current()), readSecret)).map(noticeOf),
    }),
  )
}

/** The model of sentences that the configuration asks for, if it asks for one. */
async function sentenceModel(
  { discoveryEmbedder, dataDir }: Config,
  report: (error: Error) => void,
): Promise<Result<OpenedModel | undefined>> {
  if (discoveryEmbedder === 'static') return ok(undefined)
  const { openInstalledMiniLm } = await import('../adapters/embedder/sentences/model.ts')
  return openInstalledMiniLm({ folder: dataDir, report })
}

/** How often discovery looks for changed catalogs. */
const FOLLOW_MS = 1000

/** Prepares discovery for each set of catalogs until it is shut down. */
function followedBy(prepareDiscovery: () => Promise<void>): { readonly shutDown: () => Promise<void> } {
  const stop = every(FOLLOW_MS, prepareDiscovery)
  return { shutDown: async () => stop() }
}

interface ServingParts {
  readonly config: Config
  readonly gateway: Gateway
  readonly conversations: Conversations
  /** To servers that a client brings along. */
  readonly connect: AcpParts['connect']
  readonly mcp: OpenedMcp
  /** Loads what a server needs for its first call of an API. */
  readonly loadAhead: () => Promise<unknown>
  /** Closed in this order. */
  readonly resources: readonly { readonly shutDown: () => Promise<void> }[]
  readonly auth: Auth
  /** The share of this process; absent: no limit. */
  readonly requestRate: Rate | undefined
  readonly faulty: () => Promise<readonly Faulty[]>
  readonly telemetry: Telemetry
  readonly notices: readonly string[]
  readonly unsetSecrets: Assembly['unsetSecrets']
}

/** Loading blocks other calls for tens of milliseconds: a server has begun its work by then, and calls of APIs come later. */
const QUIET_MS = 500

function servingWith(parts: ServingParts): Assembly {
  const {
    config,
    gateway,
    conversations,
    connect,
    loadAhead,
    resources,
    auth,
    requestRate,
    faulty,
    telemetry,
    notices,
    unsetSecrets: secrets,
  } = parts
  const { verifier, local } = auth
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
      mcp,
      ...(requestRate && { requestRate }),
      faulty,
      report,
      telemetry: await telemetry.watch(),
      ...(resource && { resource }),
      ...(config.workspaceHeader !== undefined && { workspaceHeader: config.workspaceHeader }),
    })
  }
  const acp: AcpParts = {
    gateway,
    conversations,
    caller: { ...local, isLongLived: true },
    connect,
    version: VERSION,
    report,
  }
  return {
    gateway,
    acp,
    caller: local,
    notices,
    unsetSecrets: secrets,
    address: { host: config.host, port: config.port },
    app,
    listen: async () => {
      const [{ listen }, handler] = await Promise.all([import('../surfaces/http/listen.ts'), app()])
      const listening = await listen(handler, config)
      parts.mcp.watch()
      await telemetry.log('info')
      const loading = setTimeout(() => void loadAhead().catch(report), QUIET_MS).unref()
      atEnd.push(async () => clearTimeout(loading))
      // A follower of a trace would keep the server open until its connection is cut.
      const close = (graceMs: number) => {
        telemetry.endStreams()
        return listening.close(graceMs)
      }
      return { ...listening, close }
    },
    mcpOverStdio: async () => {
      const { mcpOverStdio } = await import('../surfaces/mcp/adapter.ts')
      await telemetry.log('warn')
      parts.mcp.watch()
      return mcpOverStdio({ gateway, version: VERSION, report }, { ...local, isLongLived: true })
    },
    acpOverStdio: async () => {
      const { acpOverStdio } = await import('../surfaces/acp/stdio.ts')
      await telemetry.log('warn')
      return acpOverStdio(acp)
    },
    shutDown: async () => {
      await Promise.all(atEnd.map((end) => end()))
      for (const resource of resources) await resource.shutDown()
      await telemetry.shutDown()
    },
  }
}

/** The share of one process in a rate limit that several processes keep together; at least one request at once. */
function shareOf(rate: Rate | undefined, processes: number): Rate | undefined {
  if (!rate) return undefined
  return { perSecond: rate.perSecond / processes, burst: Math.max(1, Math.floor(rate.burst / processes)) }
}

/** The addresses that the operator gives by catalog: with the entries, and as backends. */
function givenServers(entries: Config['catalogs'], { backends }: Config): Config['backends'] {
  const given = entries.flatMap(({ id, server }) =>
    id === undefined || server === undefined ? [] : [[id, server] as const],
  )
  return { ...Object.fromEntries(given), ...backends }
}

function originOf(backends: Config['backends'], catalog: string): string | undefined {
  const backend = ownValue(backends, catalog)
  return backend === undefined ? undefined : new URL(backend).origin
}

function servedBy({ byId }: CatalogSet) {
  return [...byId.values()].map(({ catalog }) => catalog)
}

/** Unreadable catalogs are left out with a notice for the operator; `catalog check` lists warnings. */
function noticeOf({ code, message }: Problem): string {
  return `${code}: ${message}`
}

function noticesOf({ path, errors, warnings }: Reading): string[] {
  const lines = errors.map(({ code, message, file = path, line }) =>
    visible(`${file}${line === undefined ? '' : `:${line}`}: ${code}: ${message}`),
  )
  if (path.startsWith('mcp:')) lines.push(...warnings.map((warning) => `${path}: ${noticeOf(warning)}`))
  else if (errors.length === 0 && warnings.length > 0)
    lines.push(`${path}: ${counted(warnings.length, 'warning')}: see \`plasmid catalog check ${path}\``)
  return lines
}

/** The metadata by which clients discover the trusted issuers; undefined without issuers. */
function protectedResource({ access, auth }: Config): ProtectedResource | undefined {
  const issuers = access.jwt.map(({ issuer }) => issuer).filter((issuer) => /^https?:/.test(issuer))
  if (issuers.length === 0 || auth === 'off' || auth === 'token') return undefined
  return {
    ...(access.publicUrl !== undefined && { origin: access.publicUrl }),
    issuers,
    scopes: [...new Set(access.jwt.flatMap(({ scopes }) => scopes))],
  }
}
