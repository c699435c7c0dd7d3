import type { McpSandbox } from '../../../access/mcp-server.ts'
import { isWithin } from '../../../access/workspace.ts'
import type { Launch } from '../transport/process.ts'

/** What a sandbox is made of, apart from the server itself: absolute paths that exist. */
export interface Confinement extends Omit<McpSandbox, 'workspace'> {
  /** The program that makes sandboxes. */
  readonly bwrap: string
  /** Folders that are empty in the sandbox, and that it may fill for itself. */
  readonly hidden: readonly string[]
  /** Folders that are empty wherever they lie, even below a shown one. */
  readonly secret: readonly string[]
  readonly workspace?: { readonly root: string; readonly isWritable: boolean } | undefined
  /** The file that `/etc/resolv.conf` leads to, where it lies in a hidden folder. */
  readonly resolver?: string | undefined
}

/** The folder for what a server writes that nothing else needs. */
const SCRATCH = '/tmp'

/**
 * The launch of a server in a sandbox: the disk read-only, its own processes, its own temporary folders and no privileges.
 *
 * The environment goes into the sandbox with the options: neither a list of processes shows it, nor does it change how
 * bubblewrap itself runs, which is outside. The sandbox ends with this process. It has no terminal: the launch has none either.
 */
export function sandboxLaunch({ command, args, env, cwd }: Launch, confinement: Confinement): Launch {
  const { bwrap, network, hidden, secret, paths, workspace, resolver } = confinement
  const shown = [...paths, ...(workspace ? [workspace.root] : [])]
  const isVisible = isShown(cwd, { hidden, secret, shown })
  const folder = isVisible ? cwd : (workspace?.root ?? SCRATCH)
  const options: readonly (readonly string[])[] = [
    ['--unshare-all'],
    ...(network ? [['--share-net']] : []),
    ['--die-with-parent'],
    ['--cap-drop', 'ALL'],
    ['--ro-bind', '/', '/'],
    ['--dev', '/dev'],
    ['--proc', '/proc'],
    ...hidden.map((path) => ['--tmpfs', path]),
    ...(network && resolver !== undefined ? [['--ro-bind', resolver, resolver]] : []),
    ...paths.map((path) => ['--ro-bind', path, path]),
    ...(workspace ? [[workspace.isWritable ? '--bind' : '--ro-bind', workspace.root, workspace.root]] : []),
    // Last, so that they are hidden even below what is shown.
    ...secret.map((path) => ['--tmpfs', path]),
    ['--clearenv'],
    ...Object.entries(env).map(([name, value]) => ['--setenv', name, value]),
    ['--chdir', folder],
  ]
  return {
    command: bwrap,
    args: ['--args', '3', '--', command, ...args],
    env: {},
    cwd: '/',
    options: options.flat().join('\0'),
  }
}

interface View extends Pick<Confinement, 'hidden' | 'secret'> {
  readonly shown: readonly string[]
}

/** Does a server in the sandbox see the path? */
export function isShown(path: string, { hidden, secret, shown }: View): boolean {
  const isIn = (folders: readonly string[]) => folders.some((folder) => isWithin(path, folder))
  return !isIn(secret) && (!isIn(hidden) || isIn(shown))
}
