import { spawn } from 'node:child_process'
import { type Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Watchdog } from './watchdog.ts'

/** How a program is started. */
export interface Launch {
  readonly command: string
  readonly args: readonly string[]
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Written to the file descriptor 3; absent: there is none. */
  readonly options?: string
}

/** A running server, with the processes that it started itself. */
export interface ServerProcess {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
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
  { command, args, env, cwd, options }: Launch,
  watchdog: Watchdog,
): Promise<{ readonly started: ServerProcess } | { readonly reason: string }> {
  const stdio: 'pipe'[] = ['pipe', 'pipe', 'pipe', ...(options === undefined ? [] : ['pipe' as const])]
  const child = spawn(command, args, { cwd, env, stdio, detached: true })
  const { pid } = child
  if (pid !== undefined) watchdog.add(pid)
  const failure = await new Promise<string | undefined>((resolve) => {
    child.once('spawn', () => resolve(undefined))
    child.once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
  })
  const { stdin, stdout, stderr } = child
  if (failure !== undefined || pid === undefined || !stdin || !stdout || !stderr)
    return { reason: reasonOf(failure ?? '', command) }
  // Errors of a process that is ending show in `ended`.
  for (const part of [child, stdin, stdout, stderr]) part.on('error', () => undefined)
  const extra = child.stdio[3]
  if (options !== undefined && extra instanceof Writable) extra.on('error', () => undefined).end(options)
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      endGroup(pid, 'SIGKILL')
      watchdog.remove(pid)
      resolve(signal === null ? `exit code ${code ?? 0}` : `signal ${signal}`)
    })
  })
  const streams = { stdin, stdout, stderr }
  return { started: { pid, ...streams, ended, end: () => endProcess(streams, pid, ended) } }
}

function reasonOf(code: string, command: string): string {
  if (code === 'ENOENT') return `there is no program \`${command}\`, or no such folder to run it in`
  return code === 'EACCES' ? `\`${command}\` may not be executed` : code
}

async function endProcess(
  streams: Pick<ServerProcess, 'stdin' | 'stdout' | 'stderr'>,
  pid: number,
  ended: Promise<string>,
): Promise<void> {
  const isOver = async () =>
    (await Promise.race([ended, delay(PATIENCE, undefined, { ref: false })])) !== undefined
  streams.stdin.end()
  if (!(await isOver())) {
    endGroup(pid, 'SIGTERM')
    if (!(await isOver())) endGroup(pid, 'SIGKILL')
  }
  await ended
  for (const stream of Object.values(streams)) stream.destroy()
}

/** A group that is gone already is none to end. */
function endGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // Every process of the group has ended.
  }
}
