import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse, type ParseError } from 'jsonc-parser'
import { z } from 'zod'
import { DEFAULT_SANDBOX, type McpServer } from '../access/mcp-server.ts'
import { normalTrust, TRUST_LEVELS } from '../access/trust.ts'
import { readRoot } from '../access/workspace.ts'
import { failed, ok, type Problem, type Result } from '../base/diagnostic.ts'
import { codeOf } from '../base/errors.ts'
import { isName } from '../catalog/readers/name.ts'
import { listOf, numeric, yamlOf } from './from-text.ts'
import { problem } from './problems.ts'
import { settingInfo } from './setting-info.ts'

const texts = z.record(z.string().min(1), z.string())

/** How to start or reach a server, as hosts write it. */
const host = z.object({
  command: z.string().min(1).optional(),
  args: z.array(z.string()).default([]),
  env: texts.default({}),
  cwd: z.string().min(1).optional(),
  url: z.string().min(1).optional(),
  headers: texts.default({}),
  /** As hosts write the transport. */
  type: z.string().optional(),
  disabled: z.boolean().optional(),
})

/** An absolute path in its shortest spelling. */
function absolute(path: string, context: z.RefinementCtx): string {
  const root = readRoot(path)
  if (root === undefined)
    context.addIssue({ code: 'custom', message: 'must be an absolute path without `..`' })
  return root ?? ''
}

/** What only our own settings say: no host's file can grant it. */
const grants = z.object({
  trust: z.string().transform(normalTrust).pipe(z.enum(TRUST_LEVELS)).default('direct'),
  isolation: z.enum(['call', 'session', 'shared']).default('session'),
  workspaces: z.array(z.string().min(1)).optional(),
  sandbox: z
    .strictObject({
      network: z.boolean().default(DEFAULT_SANDBOX.network),
      workspace: z.enum(['none', 'read', 'write']).default(DEFAULT_SANDBOX.workspace),
      paths: z.array(z.string().transform((path, context) => absolute(path, context))).default([]),
    })
    .optional(),
  needs_workspace: z.boolean().default(false),
  send_context: z.boolean().default(false),
  reads: z.union([z.literal('annotated'), z.array(z.string().min(1))]).default([]),
})

const server = z.strictObject({ ...host.shape, ...grants.shape })
type Written = z.output<typeof server>

/** A server as `plasmid add mcp` writes it into the settings. */
export type WrittenServer = Pick<
  z.input<typeof server>,
  'command' | 'args' | 'env' | 'cwd' | 'url' | 'headers' | 'reads'
>

const servers = z.record(z.string().refine(isName, 'must be a name without spaces and quotes'), server)

/** Settings of MCP servers that we call. */
export const mcpSettings = {
  mcp_servers: yamlOf(servers).default({}).register(settingInfo, {
    about: 'MCP servers to serve as catalogs, by name',
    more: 'in the environment as YAML or JSON; see [MCP servers](hosts.md#mcp-servers), as for the next three',
  }),
  mcp_files: listOf(z.string().min(1))
    .default([])
    .register(settingInfo, {
      about: 'files of hosts with an `mcpServers` object, whose servers are served too',
      flag: { name: 'mcp-file', on: ['engine'], value: 'PATH', repeatable: true },
    }),
  mcp_processes: numeric(z.int().min(1).max(1000)).default(32).register(settingInfo, {
    about: 'the most connections to MCP servers of one process: 1 to 1000',
  }),
  mcp_idle_seconds: numeric(z.int().min(1).max(86_400)).default(600).register(settingInfo, {
    about: 'after how many seconds without a call a connection to an MCP server is closed',
  }),
  mcp_wait_seconds: numeric(z.int().min(1).max(600)).default(10).register(settingInfo, {
    about: 'for how many seconds a start, or a new session of an editor, waits for the lists of MCP servers',
    more: 'one that takes longer is served once it is listed; editors give up after half a minute',
  }),
}

/** The keys of a server's settings. */
export const MCP_SERVER_KEYS: readonly string[] = Object.keys(server.shape)

interface Given {
  readonly mcp_servers: z.output<typeof servers>
  readonly mcp_files: readonly string[]
}

/**
 * The servers of the settings and of the hosts' files. A server of the settings with nothing but grants adds them to the
 * server of that name in a file.
 *
 * Gives `mcp_file_unreadable`, `mcp_server_unclear` for a server with neither or both of `command` and `url`, and
 * `mcp_server_twice`.
 */
export function mcpServersOf(
  { mcp_servers: own, mcp_files: files }: Given,
  cwd: string,
): Result<readonly McpServer[]> {
  const problems: Problem[] = []
  const found = new Map<string, { readonly written: Written; readonly base: string }>()
  for (const [name, written] of Object.entries(own)) found.set(name, { written, base: cwd })
  const seen = new Map<string, string>()
  for (const path of files.map((file) => resolve(cwd, file))) {
    const read = readHostFile(path)
    if (!read.ok) {
      problems.push(...read.problems)
      continue
    }
    for (const [name, there] of read.value) {
      const first = seen.get(name)
      const granted = found.get(name)?.written
      const isStarted = granted && ((granted.command ?? granted.url) !== undefined || granted.args.length > 0)
      const isTwice = first !== undefined || isStarted
      if (isTwice) {
        problems.push(problem('mcp_server_twice', { name, first: first ?? 'the settings', second: path }))
        found.delete(name)
      } else found.set(name, { written: withGrants(there, granted), base: dirname(path) })
      seen.set(name, path)
    }
  }
  const read = [...found].flatMap(([name, { written, base }]) => {
    if (written.disabled === true) return []
    const one = serverOf(name, written, base)
    if (one.ok) return [one.value]
    problems.push(...one.problems)
    return []
  })
  return problems.length > 0 ? failed(problems) : ok(read)
}

/** The server that the settings would give from what is written. Gives `mcp_server_unclear`. */
export function writtenServer(name: string, written: WrittenServer, cwd: string): Result<McpServer> {
  return serverOf(name, server.parse(written), cwd)
}

/** What the settings say of a server counts more than what its file says. */
function withGrants(there: z.output<typeof host>, granted: Written | undefined): Written {
  if (!granted) return { ...grants.parse({}), ...there }
  return {
    ...granted,
    ...there,
    env: { ...there.env, ...granted.env },
    headers: { ...there.headers, ...granted.headers },
  }
}

function serverOf(name: string, written: Written, base: string): Result<McpServer> {
  const { command, args, env, cwd, url, headers, trust, isolation, workspaces, reads, sandbox } = written
  const start =
    command !== undefined && url === undefined
      ? ({ kind: 'stdio', command, args, env, cwd: resolve(base, cwd ?? '.') } as const)
      : url !== undefined && command === undefined
        ? ({ kind: 'http', url, headers } as const)
        : undefined
  if (!start) return failed([problem('mcp_server_unclear', { name })])
  return ok({
    name,
    owner: 'operator',
    trust,
    isolation,
    ...(workspaces && { workspaces }),
    ...(sandbox && { sandbox }),
    ...(written.needs_workspace && { needsWorkspace: true as const }),
    ...(written.send_context && { sendsContext: true as const }),
    reads: { names: reads === 'annotated' ? [] : reads, trustsHints: reads === 'annotated' },
    start,
  })
}

/** Where hosts keep their servers in a file. */
const PLACES = ['mcpServers', 'servers', 'context_servers']

/** The servers of a host's file: keys that we do not know are the host's own. */
function readHostFile(path: string): Result<readonly (readonly [string, z.output<typeof host>])[]> {
  const wrong = (reason: string) => failed([problem('mcp_file_unreadable', { path, reason })])
  try {
    const errors: ParseError[] = []
    const value: unknown = parse(readFileSync(path, 'utf8'), errors, { allowTrailingComma: true })
    if (errors.length > 0) return wrong('it is no JSON')
    const held = z.record(z.string(), z.unknown()).safeParse(value)
    const place = held.success ? PLACES.find((key) => held.data[key] !== undefined) : undefined
    if (!held.success || place === undefined) return wrong(`it has no \`${PLACES[0]}\``)
    const read = z.record(z.string().refine(isName), host).safeParse(held.data[place])
    if (read.success) return ok(Object.entries(read.data))
    const [issue] = read.error.issues
    return wrong(`${[place, ...(issue?.path.map(String) ?? [])].join('.')} has the wrong shape`)
  } catch (error) {
    return wrong(codeOf(error) ?? 'it is no JSON')
  }
}
