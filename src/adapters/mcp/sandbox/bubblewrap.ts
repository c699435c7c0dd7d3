import { execFile } from 'node:child_process'
import { access, constants, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { DEFAULT_SANDBOX, type McpServer } from '../../../access/mcp-server.ts'
import type { SessionContext } from '../../../access/session-context.ts'
import { failed, ok, type Result } from '../../../base/diagnostic.ts'
import { oneLine } from '../../../base/text/one-line.ts'
import type { Launching } from '../launch.ts'
import { mcpProblem } from '../problems.ts'
import type { Launch } from '../transport/process.ts'
import { isShown, sandboxLaunch } from './launch.ts'

/** What a sandbox depends on besides its server. */
export interface SandboxParts {
  /** Where bubblewrap is looked for, separated as in `PATH`. */
  readonly searchPath: string
  /** Files and folders of this program that no server may see, whether or not they exist. */
  readonly secret: readonly string[]
  /** Did the operator list the folder, or one above it? */
  readonly isGranted: (root: string) => Promise<boolean>
}

/** Hidden where they exist: what users, sessions and services of the machine keep there, their sockets included. */
const HIDDEN = ['/tmp', '/var/tmp', '/run', '/home', '/root']

/** How long the trial of bubblewrap may take, in ms. */
const TRIAL_MS = 10_000

/**
 * Runs servers in bubblewrap. Without a bubblewrap that works nothing is started.
 *
 * Gives `mcp_sandbox_missing`, `mcp_sandbox_hides` for a program that the sandbox hides, or `mcp_workspace_not_granted`.
 */
export function bubblewrap({ searchPath, secret, isGranted }: SandboxParts): Launching['sandbox'] {
  let found: string | undefined
  return async (launch, server, context) => {
    const { name, sandbox = DEFAULT_SANDBOX } = server
    if (found === undefined) {
      const tried = await findBubblewrap(searchPath)
      if ('reason' in tried) return failed([mcpProblem('mcp_sandbox_missing', { server: name, ...tried })])
      found = tried.bwrap
    }
    const workspace = await mounted(server, context, isGranted)
    if (!workspace.ok) return workspace
    const resolver = await realPath('/etc/resolv.conf')
    const confinement = {
      bwrap: found,
      network: sandbox.network,
      paths: sandbox.paths,
      hidden: await existing([...HIDDEN, homedir()].filter((path) => path !== '/')),
      secret: await existing(secret),
      workspace: workspace.value,
      resolver: resolver?.startsWith('/run/') ? resolver : undefined,
    }
    const { value: place } = workspace
    const view = { ...confinement, shown: [...confinement.paths, ...(place ? [place.root] : [])] }
    const hidden = (await pathsOf(launch)).find((path) => !isShown(path, view))
    return hidden === undefined
      ? ok(sandboxLaunch(launch, confinement))
      : failed([mcpProblem('mcp_sandbox_hides', { server: name, path: hidden })])
  }
}

/** The first program `bwrap` on the path, if it can make a sandbox on this machine; else the reason. */
async function findBubblewrap(
  searchPath: string,
): Promise<{ readonly bwrap: string } | { readonly reason: string }> {
  const bwrap = await programOn(searchPath, 'bwrap')
  if (bwrap === undefined)
    return { reason: 'the program `bwrap` is not on the path: install the package bubblewrap' }
  const trial = ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', 'true']
  return new Promise((resolveTrial) => {
    execFile(bwrap, trial, { timeout: TRIAL_MS, cwd: '/' }, (error, _stdout, stderr) => {
      const reason = oneLine(stderr.trim() || String(error?.message), 200)
      resolveTrial(error ? { reason: `bubblewrap does not work on this machine: ${reason}` } : { bwrap })
    })
  })
}

type Mounted = Result<{ readonly root: string; readonly isWritable: boolean } | undefined>

/** The workspace as the sandbox shows it: only a folder that the operator listed, since a call may name any. */
async function mounted(
  { name, sandbox = DEFAULT_SANDBOX }: McpServer,
  { workspaceRoot: root }: SessionContext,
  isGranted: SandboxParts['isGranted'],
): Promise<Mounted> {
  const { workspace } = sandbox
  if (workspace === 'none' || root === '') return ok(undefined)
  return (await isGranted(root)) && (await isFolder(root))
    ? ok({ root, isWritable: workspace === 'write' })
    : failed([mcpProblem('mcp_workspace_not_granted', { server: name, root })])
}

/** The program of a launch, as it is found and as it really lies; none where it does not exist. */
async function pathsOf({ command, env, cwd }: Launch): Promise<readonly string[]> {
  const found = command.includes('/') ? resolve(cwd, command) : await programOn(env['PATH'] ?? '', command)
  const real = found === undefined ? undefined : await realPath(found)
  return found === undefined || real === undefined ? [] : [found, real]
}

async function programOn(searchPath: string, name: string): Promise<string | undefined> {
  for (const folder of searchPath.split(delimiter).filter((part) => part.startsWith('/'))) {
    const path = join(folder, name)
    try {
      await access(path, constants.X_OK)
      if ((await stat(path)).isFile()) return path
    } catch {
      // It is in another folder, or nowhere.
    }
  }
  return undefined
}

/** The real paths of those that exist, each once. */
async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map(realPath))
  return [...new Set(real.filter((path) => path !== undefined))]
}

async function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined)
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
