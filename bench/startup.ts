import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Contest } from './measure.ts'

const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url))
const CATALOG = fileURLToPath(new URL('../src/adapters/catalogs/shipped/bazaar', import.meta.url))

/** Commands, and how many times the CPU time of an empty program of Node each may take. */
const COMMANDS = {
  help: { args: ['--help'], bound: 2 },
  'catalog check': { args: ['catalog', 'check', CATALOG], bound: 4 },
  sessions: { args: ['sessions'], bound: 8 },
} as const
export type StartedCommand = keyof typeof COMMANDS
export const STARTED_COMMANDS = ['help', 'catalog check', 'sessions'] as const

/** A command from start to exit, against `node` with an empty program. */
export async function startup(command: StartedCommand): Promise<Contest> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-bench-'))
  const { args, bound } = COMMANDS[command]
  return {
    ours: (calls) => cpuOf(calls, [MAIN, ...args], dataDir),
    base: (calls) => cpuOf(calls, ['-e', '0'], dataDir),
    bound,
    close: () => rm(dataDir, { recursive: true }),
  }
}

const run = promisify(execFile)
/** Writes the CPU time of its process to standard error at exit. */
const REPORT = `data:text/javascript,import{writeSync}from'node:fs';process.on('exit',()=>{const{user,system}=process.cpuUsage();writeSync(2,'\\n'+(user+system))})`

async function cpuOf(calls: number, args: readonly string[], dataDir: string): Promise<number> {
  let sum = 0
  for (let call = 0; call < calls; call++) {
    const { stderr } = await run(process.execPath, ['--import', REPORT, ...args], {
      env: { ...process.env, PLASMID_DATA_DIR: dataDir },
    })
    sum += Number(stderr.slice(stderr.lastIndexOf('\n')))
  }
  return sum
}
