import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import type { Watchdog } from './watchdog.ts'

/** How a program is started. */
export interface Launch {
  readonly command: string
  readonly args: readonly string[]
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** A running server, with the processes that it started itself. */
export interface ServerProcess {
  readonly pid: number
  readonly stdin: ChildProcessWithoutNullStreams['stdin']
  readonly stdout: ChildProcessWithoutNullStreams['stdout']
  readonly stderr: ChildProcessWithoutNullStreams['stderr']
  /** Settles when it has ended, with how: `exit code 1`, `signal SIGKILL`. */
  readonly ended: Promise<string>
  /** Asks it to end, then makes it. Resolves when it and its process group are gone. */
  readonly end: () => Promise<void>
}

/** How long a server may take to end after its input closed, and again after it was asked to, in ms. */
const PATIENCE = 1000

/**
 * Starts a program in a process group of its own, which a watchdog ends with this process. Gives the reason where it cannot
 * be started.
 */
export async function startProcess(
  { command, args, env, cwd }: Launch,
  watchdog: Watchdog,
): Promise<{ readonly started: ServerProcess } | { readonly reason: string }> {
  const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  const { pid } = child
  if (pid !== undefined) watchdog.add(pid)
  const failure = await new Promise<string | undefined>((resolve) => {
    child.once('spawn', () => resolve(undefined))
    child.once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
  })
  if (failure !== undefined || pid === undefined) return { reason: reasonOf(failure ?? '', command) }
  // Errors of a process that is ending show in `ended`.
  for (const part of [child, child.stdin, child.stdout, child.stderr]) part.on('error', () => undefined)
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      endGroup(pid, 'SIGKILL')
      watchdog.remove(pid)
      resolve(signal === null ? `exit code ${code ?? 0}` : `signal ${signal}`)
    })
  })
  const { stdin, stdout, stderr } = child
  return { started: { pid, stdin, stdout, stderr, ended, end: () => endProcess(child, pid, ended) } }
}

function reasonOf(code: string, command: string): string {
  if (code === 'ENOENT') return `there is no program \`${command}\`, or no such folder to run it in`
  return code === 'EACCES' ? `\`${command}\` may not be executed` : code
}

async function endProcess(
  child: ChildProcessWithoutNullStreams,
  pid: number,
  ended: Promise<string>,
): Promise<void> {
  const isOver = async () =>
    (await Promise.race([ended, delay(PATIENCE, undefined, { ref: false })])) !== undefined
  child.stdin.end()
  if (!(await isOver())) {
    endGroup(pid, 'SIGTERM')
    if (!(await isOver())) endGroup(pid, 'SIGKILL')
  }
  await ended
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
}

/** A group that is gone already is none to end. */
function endGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // Every process of the group has ended.
  }
}
