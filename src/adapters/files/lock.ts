import { readFile, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as later } from 'node:timers/promises'
import { createFile } from './replace.ts'

/** A lock is held for milliseconds: an older one is of a process that hangs or whose machine is gone. */
const LONGEST_MS = 10_000
const LOOK_AGAIN_MS = 20

/**
 * Does the work while no other process does work under the same lock: a file that exists meanwhile. The lock of a process that
 * was killed is removed.
 */
export async function underLock<Done>(path: string, work: () => Promise<Done>): Promise<Done> {
  while (!(await taken(path))) {
    if (await isLeft(path)) await removeLeft(path)
    else await later(LOOK_AGAIN_MS)
  }
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

/** Removes the lock of a process that has ended: one process at a time, as another one would remove the lock that follows it. */
async function removeLeft(path: string): Promise<void> {
  await underLock(`${path}.left`, async () => {
    if (await isLeft(path)) await rm(path, { force: true })
  })
}

async function taken(path: string): Promise<boolean> {
  try {
    await createFile(path, ownName(process.pid))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Is the lock of a process that has ended? A lock that is gone is not left: it is tried again. */
async function isLeft(path: string): Promise<boolean> {
  try {
    const [{ mtimeMs }, owner] = await Promise.all([stat(path), readFile(path, 'utf8')])
    if (Date.now() - mtimeMs > LONGEST_MS) return true
    const pid = Number(owner.split(' ')[0])
    return owner === ownName(pid) && !isRunning(pid)
  } catch {
    return false
  }
}

function ownName(pid: number): string {
  return `${pid} ${hostname()}`
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
