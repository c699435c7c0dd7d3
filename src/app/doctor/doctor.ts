import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { hasCode, reasonOf } from '../../base/errors.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { deploymentSecrets } from '../../adapters/auth/deployment-secret.ts'
import { secretFile } from '../../adapters/auth/secret-file.ts'
import { StoreError } from '../../adapters/stores/problems.ts'
import type { Config } from '../../config/read.ts'
import type { Store } from '../../engine/store.ts'
import { dataDirFault } from '../data-dir.ts'
import type { ConfiguredHost } from '../hosts/configured.ts'
import type { Examined } from '../../surfaces/cli/dependencies.ts'
import { cliProblem } from '../../surfaces/cli/problems.ts'
import { appProblem, OLDEST_NODE } from '../problems.ts'
import { storeFile } from '../stores.ts'
import { roundTrip } from './round-trip.ts'

/** The checks that need the assembled parts. */
export interface Dependencies {
  readonly openStore: () => Promise<Result<Store>>
  /** The layout version of the store's file; absent if there is no file. */
  readonly layout: () => Promise<{ readonly found: number; readonly known: number } | undefined>
  /** Problems of the authentication settings. */
  readonly auth: () => Promise<readonly Problem[]>
  readonly catalogs: () => Promise<{
    readonly read: readonly {
      readonly path: string
      readonly errors: readonly Problem[]
      readonly warnings: number
    }[]
    /** Names in settings and policy that no catalog has. */
    readonly slips: readonly Problem[]
  }>
  /** What each MCP server of the configuration lists now, or why it does not. */
  readonly servers: () => Promise<
    readonly { readonly name: string; readonly listed: Result<{ readonly methods: number }> }[]
  >
  /** Speaks every protocol with the server of this configuration; gives the milliseconds that it took. */
  readonly protocols: () => Promise<Result<number>>
  /** The hosts of this user and directory that start Plasmid. */
  readonly hosts: () => Promise<readonly ConfiguredHost[]>
  readonly now: () => number
}

/** Clock differences between this machine and the store, in ms, from which a warning and an error are reported. */
const SKEW_SEEN = 2000
const SKEW_TOO_FAR = 60_000
/** How long a running server may take to answer the health check. */
const HEALTH_MS = 2000

/**
 * Checks everything that a start needs, and changes nothing but one short-lived entry of the store, and the lists that are
 * kept of MCP servers.
 */
export async function examine(config: Config, dependencies: Dependencies): Promise<readonly Examined[]> {
  const fault = await dataDirFault(config.dataDir)
  // Everything else that is stored lies inside.
  if (fault) return [runtime(process.versions.node), bad('data directory', fault)]
  const secrets = await secret(config)
  // The store needs the secret, whose problems are reported once.
  const isNew = ({ code }: Examined) => code === undefined || secrets.every((said) => said.code !== code)
  const found = [
    runtime(process.versions.node),
    ...(await dataDir(config.dataDir)),
    ...secrets,
    ...(await credentials(config, dependencies)),
    ...(await store(config, dependencies)).filter(isNew),
    ...(await catalogs(dependencies)),
    await address(config),
    ...(await dependencies.hosts()).map(hostFinding),
  ]
  // A start by these settings would fail for the reasons above.
  if (found.some(({ status }) => status === 'fail')) return found
  return [...found, ...protocolFindings(await dependencies.protocols())]
}

function hostFinding({ host, file, starts, missing }: ConfiguredHost): Examined {
  const check = `host ${host}`
  return missing === undefined
    ? fine(check, `${file} starts ${starts}`)
    : bad(check, appProblem('host_program_missing', { host, file, missing }), 'warn')
}

function protocolFindings(trip: Result<number>): readonly Examined[] {
  return trip.ok
    ? [fine('protocols', `MCP and ACP answer, in ${trip.value} ms`)]
    : trip.problems.map((one) => bad('protocols', one))
}

function runtime(version: string): Examined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])
  return isOld
    ? bad('runtime', appProblem('runtime_old', { found: version }))
    : fine('runtime', `Node ${version}`)
}

async function dataDir(path: string): Promise<readonly Examined[]> {
  const mode = await modeOf(path)
  if (mode === undefined) return [fine('data directory', `${path} is made at the first start`)]
  return process.platform !== 'win32' && (mode & 0o077) !== 0
    ? [bad('data directory', appProblem('data_dir_open', { path, mode: octal(mode) }), 'warn')]
    : [fine('data directory', `${path} (${octal(mode)})`)]
}

async function secret({ dataDir: folder, secret: given }: Config): Promise<readonly Examined[]> {
  const path = join(folder, 'secret')
  const isKept = (await modeOf(path)) !== undefined
  if (given === undefined && !isKept) return [fine('secret', `${path} is made at the first start`)]
  const read = await deploymentSecrets(folder, given)
  if (!read.ok) return read.problems.map((one) => bad('secret', one))
  const where = given === undefined ? `${path} (0600)` : 'PLASMID_SECRET of the environment'
  const older = read.value.length - 1
  return [fine('secret', older === 0 ? where : `${where}, the first of ${older + 1} for what is new`)]
}

async function credentials(config: Config, { auth }: Dependencies): Promise<readonly Examined[]> {
  if (config.auth !== 'token') {
    const problems = await auth()
    return problems.length > 0
      ? problems.map((one) => bad('credentials', one))
      : [fine('credentials', `auth is ${config.auth}`)]
  }
  const path = join(config.dataDir, 'token')
  if ((await modeOf(path)) === undefined) return [fine('token', `${path} is made at the first start`)]
  const read = await secretFile(path)
  return read.ok ? [fine('token', `${path} (0600)`)] : read.problems.map((one) => bad('token', one))
}

async function store(config: Config, dependencies: Dependencies): Promise<readonly Examined[]> {
  const layout = await attempt(dependencies.layout)
  if (!layout.ok) return layout.problems.map((one) => bad('store', one))
  const file = storeFile(config)
  if (file && layout.value === undefined) return [fine('store', `${file.path} is made at the first start`)]
  // Opening the file would migrate it.
  if (layout.value && layout.value.found < layout.value.known)
    return [bad('store', appProblem('layout_old', layout.value), 'warn')]
  const opened = await dependencies.openStore()
  if (!opened.ok) return opened.problems.map((one) => bad('store', one))
  const held = opened.value
  const at = layout.value === undefined ? '' : `, layout ${layout.value.found}`
  try {
    const tried = await attempt(() => roundTrip(held, dependencies.now))
    const trip = tried.ok ? tried.value : tried
    if (!trip.ok) return trip.problems.map((one) => bad('store', one))
    return [
      fine('store', `${held.kind}${at}: written and read back in ${trip.value.ms} ms`),
      skew(trip.value.skew),
    ]
  } finally {
    await held.shutDown()
  }
}

function skew(ms: number): Examined {
  if (ms < SKEW_SEEN) return fine('clock', `within ${SKEW_SEEN} ms of the store's`)
  return bad('clock', appProblem('clock_skew', { ms }), ms < SKEW_TOO_FAR ? 'warn' : 'fail')
}

async function catalogs(dependencies: Dependencies): Promise<readonly Examined[]> {
  const [{ read, slips }, servers] = await Promise.all([dependencies.catalogs(), dependencies.servers()])
  const called = servers.flatMap(serverFindings)
  if (read.length === 0 && servers.length === 0)
    return [bad('catalogs', appProblem('no_catalogs', {}), 'warn')]
  const found = read.flatMap(({ path, errors, warnings }) => [
    ...errors.map((one) => bad(`catalog ${path}`, one)),
    ...(warnings > 0 ? [bad('catalogs', appProblem('catalog_warnings', { path, warnings }), 'warn')] : []),
  ])
  const loaded = read.filter(({ errors }) => errors.length === 0).length
  const slipped = slips.map((one) => bad('settings', one, 'warn'))
  return [...found, fine('catalogs', `${loaded} of ${read.length} load`), ...slipped, ...called]
}

/** A server that does not answer keeps no other from being served. */
function serverFindings({ name, listed }: Awaited<ReturnType<Dependencies['servers']>>[number]): Examined[] {
  const check = `MCP server ${name}`
  if (!listed.ok) return listed.problems.map((one) => bad(check, one, 'warn'))
  return [fine(check, `answers, with ${listed.value.methods} methods`)]
}

async function address({ host, port: wanted }: Config): Promise<Examined> {
  const server = createServer()
  try {
    server.listen(wanted, host.replaceAll(/[[\]]/g, ''))
    await once(server, 'listening')
    server.close()
    return fine('port', wanted === 0 ? 'any that is free' : `${host}:${wanted} is free`)
  } catch (error) {
    if (await answers(host, wanted))
      return bad('port', appProblem('port_serves', { host, port: wanted }), 'warn')
    return bad('port', cliProblem('cannot_listen', { host, port: wanted, reason: reasonOf(error) }))
  }
}

async function answers(host: string, wanted: number): Promise<boolean> {
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  try {
    const signal = AbortSignal.timeout(HEALTH_MS)
    const [response] = await once(get(`http://${name}:${wanted}/v1/health`, { signal }), 'response')
    return (await text(response)) === '{"status":"ok"}'
  } catch {
    return false
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work())
  } catch (error) {
    if (error instanceof StoreError) return failed([error.problem])
    throw error
  }
}

/** The permission bits of a path; undefined if nothing is there. */
async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o777
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0')
}

function fine(check: string, detail: string): Examined {
  return { check, status: 'ok', detail }
}

function bad(check: string, { code, message, next }: Problem, status: 'warn' | 'fail' = 'fail'): Examined {
  return { check, status, detail: message, next, code }
}
