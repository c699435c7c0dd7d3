import { ok } from '../../../src/base/diagnostic.ts'
import { mkdtemp, realpath } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { McpServer } from '../../../src/access/mcp-server.ts'
import type { SessionContext } from '../../../src/access/session-context.ts'
import { McpRuntime } from '../../../src/adapters/mcp/runtime.ts'
import type { Event } from '../../../src/base/event.ts'
import type { ServedCatalog } from '../../../src/catalog/model.ts'

/** A server that returns its environment and tries what it is asked to. */
export const ENVIRONMENT = fileURLToPath(new URL('../../fixtures/mcp/environment.mjs', import.meta.url))

/** What a sandbox has to show so that the server runs on any machine: Node, and the server itself. */
export const SHOWN = [resolve(process.execPath, '../..'), dirname(ENVIRONMENT)]

/** Why tests in a sandbox are skipped here; undefined if they run. In CI they always run. */
export function whyNoSandbox(): string | undefined {
  if (process.env['CI']) return undefined
  try {
    execFileSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'bubblewrap is missing, or does not work here'
  }
}

export function serverOf(changes: Partial<McpServer> = {}): McpServer {
  return {
    name: 'environment',
    owner: 'operator',
    trust: 'direct',
    isolation: 'session',
    reads: { names: [], trustsHints: true },
    start: { kind: 'stdio', command: process.execPath, args: [ENVIRONMENT], env: {}, cwd: '/' },
    sandbox: { network: false, workspace: 'none', paths: SHOWN },
    ...changes,
  }
}

export function contextOf(changes: Partial<SessionContext> = {}): SessionContext {
  return { sessionId: 'l_session', workspaceId: '', workspaceRoot: '', trust: 'direct', ...changes }
}

export interface RuntimeSettings {
  /** The folders that the operator listed. */
  readonly granted?: readonly string[]
  readonly secret?: readonly string[]
  readonly searchPath?: string
  /** Where an earlier runtime kept what it knows. */
  readonly folder?: string
}

/** A runtime that calls real processes. */
export async function runtimeWith({
  granted = [],
  secret = [],
  searchPath,
  folder: earlier,
}: RuntimeSettings = {}) {
  const events: Event[] = []
  const folder = earlier ?? (await realpath(await mkdtemp(join(tmpdir(), 'plasmid-mcp-'))))
  const runtime = new McpRuntime({
    clock: { now: Date.now },
    emit: (event) => void events.push(event),
    version: '1.2.3',
    pool: { most: 16, idleMs: 60_000 },
    waitMs: 10_000,
    prefixes: ['PLASMID_', 'PARACHUTE_'],
    folder: join(folder, 'kept'),
    lookup: {
      variable: (name) => process.env[name],
      secret: async (reference) => `the secret of ${reference}`,
    },
    sandbox: {
      searchPath: searchPath ?? process.env['PATH'] ?? '',
      secret,
      isGranted: async (root) => granted.includes(root),
    },
  })
  let keys = 0
  /** Calls a tool of a server for a session: the structured answer, or the code of the problem. */
  const caller = (server: McpServer) => {
    const key = `key${++keys}`
    runtime.servers.add(key, server)
    return async (context: SessionContext, name: string, given: Record<string, string | number> = {}) => {
      const sent = await runtime.servers.of(context).send(
        {
          catalog: { ...NO_CATALOG, origin: `mcp:${key}` },
          admit: async () => ok(undefined),
          capability: name,
          request: { type: 'tool', name, arguments: { note: '', ...given } },
          repeatable: true,
        },
        { signal: new AbortController().signal, timeoutMs: 15_000, maxBytes: 1_000_000 },
      )
      if (!sent.ok) return { problem: sent.failure.problem }
      const { answer } = sent.reply
      if (answer.type !== 'tool') throw new Error('no answer of a tool')
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server of these tests answers so
      return answer.data as unknown as Answer
    }
  }
  return { runtime, caller, events, folder }
}

/** An answer of the server, by the tool that was called. */
export interface Answer {
  readonly problem?: { readonly code: string; readonly message: string }
  readonly pid?: number
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly initialize?: unknown
  readonly meta?: unknown
  readonly result?: string
}

const NO_CATALOG: ServedCatalog = {
  id: 'environment',
  version: 1,
  aliases: [],
  entities: [],
  capabilities: [],
  unsupported: [],
  origin: '',
  otherOrigins: [],
  auth: { scheme: 'none' },
}
