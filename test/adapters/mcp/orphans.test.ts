import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { cleanEnv, PLASMID } from '../../surfaces/plasmid-process.ts'
import { serve } from '../../surfaces/server-process.ts'

const NOTES = fileURLToPath(new URL('../../fixtures/mcp/notes-server.mjs', import.meta.url))

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** A server that ignores the end of its input and polite requests, with a program of its own that does the same. */
async function deafNotes() {
  const folder = await mkdtemp(join(tmpdir(), 'plasmid-orphans-'))
  const file = join(folder, 'notes.json')
  const config = join(folder, 'plasmid.yaml')
  const child = join(folder, 'child.pid')
  const script = `sh -c 'trap "" TERM; while :; do sleep 0.1; done' & echo $! > ${child}; exec ${process.execPath} ${NOTES} ${file} deaf`
  const servers = { notes: { command: '/bin/sh', args: ['-c', script], reads: 'annotated' } }
  await writeFile(
    config,
    JSON.stringify({ shipped: false, data_dir: join(folder, 'data'), mcp_servers: servers }),
  )
  const pids = (): readonly number[] => [
    ...(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).starts : []),
    ...(existsSync(child) ? [Number(readFileSync(child, 'utf8'))] : []),
  ]
  return { folder, config, pids }
}

const PROGRAM = 'all = e1.list()\nall'

test('A61: a process that is killed leaves no server behind, nor what the server started', async () => {
  const { folder, config, pids } = await deafNotes()
  const server = await serve(join(folder, 'data'), ['--config', config])
  await server.send('POST', '/v1/contexts', { intent: 'x', seeds: [{ api: 'notes', entity: 'Note' }] })
  const ran = await server.send('POST', '/v1/contexts/s0/run', { program: PROGRAM })
  expect(ran.status).toBe(200)
  const running = pids()
  // The process that was listed has ended; that of the session runs.
  expect(running.filter(isAlive).length).toBeGreaterThanOrEqual(2)
  await server.kill('SIGKILL')
  await expect.poll(() => pids().filter(isAlive), { timeout: 20_000 }).toEqual([])
}, 90_000)

test('a command leaves no server behind when it ends', async () => {
  const { config, pids } = await deafNotes()
  const args = [PLASMID, 'discover', '--config', config, 'list notes']
  const child = spawn(process.execPath, args, { env: cleanEnv(), stdio: 'ignore' })
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(pids().length).toBeGreaterThan(0)
  await expect.poll(() => pids().filter(isAlive), { timeout: 20_000 }).toEqual([])
}, 60_000)
