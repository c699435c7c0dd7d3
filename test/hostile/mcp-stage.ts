import { mkdtempSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval as ticks } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { serve, type Served } from '../surfaces/server-process.ts'
import { jsonOf } from '../surfaces/test-server.ts'

const HOSTILE = fileURLToPath(new URL('../fixtures/mcp/hostile-server.mjs', import.meta.url))

/** A server over stdio that does harm, as the settings name it. `file`: it has other tools once it is there. */
export function hostileServer(listing = '', file = '') {
  return { command: process.execPath, args: [HOSTILE, listing, file], reads: ['read'] }
}

/** The pause between two calls of the neighbour: without one it would use the machine up. */
const PACE_MS = 100

interface Ran {
  readonly text: string
  readonly seconds: number
}

/** `plasmid serve` with MCP servers. */
export interface McpStage {
  readonly served: Served
  /** Opens a session with an entity of a server; `run` gives the text of the answer or of the refusal. */
  readonly open: (
    server: string,
    intent: string,
    entity?: string,
  ) => Promise<{ readonly text: string; readonly run: (program: string) => Promise<Ran> }>
  /** The most memory that the process had since it began the work, beyond what it had then, in MB; its slowest answer. */
  readonly during: (
    work: () => Promise<void>,
  ) => Promise<{ readonly megabytes: number; readonly slowest: number }>
  readonly close: () => Promise<void>
}

/**
 * Starts `plasmid serve`, which calls these servers and one named `well`, where nothing is wrong.
 *
 * @param more further settings
 */
export async function mcpStage(
  servers: Readonly<Record<string, object>>,
  more: object = {},
): Promise<McpStage> {
  const folder = mkdtempSync(join(tmpdir(), 'plasmid-hostile-mcp-'))
  const config = join(folder, 'plasmid.yaml')
  const settings = {
    shipped: false,
    effects: { '*': 'allow' },
    mcp_servers: { well: hostileServer(), ...servers },
    ...more,
  }
  writeFileSync(config, JSON.stringify(settings), { mode: 0o600 })
  const served = await serve(join(folder, 'data'), ['--config', config])
  const open: McpStage['open'] = async (api, intent, entity = 'Tools') => {
    const opened = await served.send('POST', '/v1/contexts', { intent, seeds: [{ api, entity }] })
    const { text = '', detail = '' } = await jsonOf<Partial<Record<'text' | 'detail', string>>>(opened)
    const ref = /`(s\d+)`/.exec(text)?.[1] ?? ''
    const run = async (program: string) => {
      const began = performance.now()
      const answer = await served.send('POST', `/v1/contexts/${ref}/run`, { program })
      const ran = await jsonOf<Partial<Record<'text' | 'detail', string>>>(answer)
      return { text: ran.text ?? ran.detail ?? '', seconds: (performance.now() - began) / 1000 }
    }
    return { text: `${text}${detail}`, run }
  }
  const neighbour = await open('well', 'the neighbour')
  return {
    served,
    open,
    during: async (work) => {
      await readPeak(served.pid, true)
      const before = await readPeak(served.pid)
      const over = new AbortController()
      const working = work().finally(() => over.abort())
      let slowest = 0
      for await (const _ of ticks(PACE_MS)) {
        if (over.signal.aborted) break
        const { text, seconds } = await neighbour.run('e1.read(how="well")')
        if (!text.includes('well')) throw new Error(`the neighbour was harmed: ${text}`)
        slowest = Math.max(slowest, seconds)
      }
      await working
      return { megabytes: (await readPeak(served.pid)) - before, slowest }
    },
    close: async () => {
      await served.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The most memory that the process ever had, in MB; `isReset`: counted from now on. */
export async function readPeak(pid: number, isReset = false): Promise<number> {
  if (isReset) writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
}
