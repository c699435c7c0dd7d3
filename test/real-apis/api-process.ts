import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { endWithUs } from '../end-with-us.ts'

const START_MS = 30_000

/** A server that other people wrote, in a process of its own. */
export interface ApiProcess {
  readonly url: string
  /** Its own folder, which ends with it. */
  readonly folder: string
  readonly stop: () => Promise<void>
}

/** Why the tests of a server are skipped; undefined where it can run. In CI it always can. */
export function whyNot(server: string, binary: string, paths: readonly string[] = []): string | undefined {
  if (process.env['CI'] !== undefined) return undefined
  const isThere = spawnSync('sh', ['-c', `command -v ${binary}`]).status === 0
  const missing = isThere ? paths.find((path) => spawnSync('test', ['-r', path]).status !== 0) : binary
  return missing === undefined ? undefined : `skipped: no ${missing}; install the Debian package ${server}`
}

export function folderFor(name: string): string {
  return mkdtempSync(join(tmpdir(), `plasmid-${name}-`))
}

/** Starts a server, and waits until its URL answers anything. */
export async function startApi(
  command: readonly [string, ...string[]],
  at: { readonly url: string; readonly folder: string },
): Promise<ApiProcess> {
  const [binary, ...args] = command
  const child = spawn(binary, args, { cwd: at.folder, stdio: ['ignore', 'ignore', 'pipe'] })
  endWithUs(child, at.folder)
  const said: string[] = []
  child.stderr.on('data', (part: Buffer) => said.push(part.toString()))
  const gone = once(child, 'exit')
  const answered = async () => {
    // An answer that is not read breaks the client when the server closes the connection.
    await (await fetch(at.url)).text()
  }
  await vi.waitFor(answered, { timeout: START_MS, interval: 50 }).catch((error: unknown) => {
    throw new Error(`${binary} did not start:\n${said.join('')}`, { cause: error })
  })
  return {
    ...at,
    stop: async () => {
      child.kill('SIGKILL')
      await gone
      await rm(at.folder, { recursive: true, force: true })
    },
  }
}
