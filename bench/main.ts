import { parseArgs } from 'node:util'
import { loadClient } from './client.ts'
import { crowdedDiscovery } from './discovery/crowd.ts'
import { engineContext } from './engine-context.ts'
import { httpContext } from './http-context.ts'
import { idleMemory } from './idle-memory.ts'
import { readingContest, rebuildContest, teachingContest } from './language.ts'
import { largeCatalog } from './large-catalog.ts'
import { measureLatency, type LatencyContest } from './latency.ts'
import { mcpContext } from './mcp-context.ts'
import { measure, type Contest, type Effort, type Verdict } from './measure.ts'
import { million } from './million.ts'
import { paging } from './paging.ts'
import { startServer, type BenchServer } from './server.ts'
import { startup, STARTED_COMMANDS } from './startup.ts'
import { crowded, durableContext, redisContext } from './stores.ts'
import { DEPLOYMENTS, throughput } from './throughput.ts'

/*
 * What Plasmid costs beside the least that the same work could cost: CPU time as a ratio, both measured in turns in one
 * process. Each contest has its share of ten minutes.
 *
 * `--only TEXT`: contests whose names hold the text, in either case. `--json`: one JSON object a line. `--smoke`: only that
 * everything runs. Exit code 1 where a bound does not hold, 2 where no contest has such a name.
 */

const { smoke, json, only } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
}).values
const FULL = { rounds: 101, sliceMs: 50 }

/** The wall-clock time in which all contests are done, in seconds, and the share of each kind. */
const MOST = 600
const SECONDS = { cost: 11, latency: 30, throughput: 12, startup: 12, million: 60, discovery: 30, idle: 140 }

const client = loadClient()
interface Entry {
  readonly name: string
  /** As `--store` takes it. */
  readonly store: string
  /** Setting up included. */
  readonly seconds: number
  /** `effort` is what remains of the time when it is called. */
  readonly measured: (effort: () => Effort) => Promise<readonly Verdict[]>
}

const onServer = (
  name: string,
  store: 'memory' | 'sqlite',
  contest: (server: BenchServer) => Contest | Promise<Contest>,
): Entry => ({
  name,
  store,
  seconds: SECONDS.cost,
  measured: async (effort) => {
    const server = await startServer(store)
    try {
      return await costOf(name, store, await contest(server), effort())
    } finally {
      await server.close()
    }
  },
})
const cost = (
  name: string,
  store: string,
  contest: () => Promise<Contest>,
  { seconds = SECONDS.cost, ...own }: Partial<Effort> & { readonly seconds?: number } = {},
): Entry => ({
  name,
  store,
  seconds,
  measured: async (effort) => {
    const opened = await contest()
    return costOf(name, store, opened, smoke ? effort() : { ...effort(), ...own })
  },
})
const latency = (name: string, store: string, contest: () => Promise<LatencyContest | undefined>): Entry => ({
  name,
  store,
  seconds: SECONDS.latency,
  measured: async (effort) => {
    const opened = await contest()
    if (!opened) return []
    const verdicts = await measureLatency(opened, { name, store }, effort())
    await opened.close?.()
    return verdicts
  },
})

/** How long waits on a full file are measured. */
const MEASURED_MS = 15_000
const few = smoke ? 1 : 30
const manyCatalogs = smoke ? 20 : 500
const idleSessions = smoke ? 1000 : 1_000_000
const entries: readonly Entry[] = [
  ...(['memory', 'sqlite'] as const).flatMap((store) => [
    onServer('context over HTTP / plain route', store, (server) => httpContext(server, client)),
    onServer('plasm_context over MCP (2025) / echo tool', store, (server) =>
      mcpContext(server, '2025', client),
    ),
    onServer('plasm_context over MCP (2026) / echo tool', store, (server) =>
      mcpContext(server, '2026', client),
    ),
    onServer('context in process / HMAC and Map.get', store, engineContext),
  ]),
  cost('program to plan / 200 SHA-256 of 1 KB', 'memory', readingContest),
  cost('table of 24 entities / 10 JSON of them', 'memory', teachingContest),
  cost('symbols of 24 entities / their table', 'memory', rebuildContest),
  cost('new session, catalog of 240 entities / of 24', 'memory', largeCatalog),
  // Every snapshot stays in memory.
  cost('20 pages into rows and a snapshot / fetch, JSON', 'memory', paging, { rounds: 31 }),
  cost('context over HTTP, SQLite / memory', 'sqlite', () => durableContext(client)),
  ...DEPLOYMENTS.map((deployment): Entry => ({
    name: 'throughput',
    store: deployment,
    seconds: SECONDS.throughput,
    measured: () => throughput(deployment, client, smoke ? 100 : 10_000),
  })),
  ...STARTED_COMMANDS.map((command) =>
    cost(`start-up of ${command} / node -e 0`, '', () => startup(command), {
      rounds: 11,
      sliceMs: 1,
      seconds: SECONDS.startup,
    }),
  ),
  latency('context in process / GET', 'redis', redisContext),
  ...(['memory', 'sqlite', 'redis'] as const).map((store) =>
    latency(`context in process, ${few * 1000} sessions / ${few}`, store, () => crowded(store, few)),
  ),
  {
    name: `${idleSessions} sessions in a file`,
    store: 'sqlite',
    seconds: SECONDS.million,
    // Filling the file takes most of the time.
    measured: (effort) =>
      million({
        sessions: idleSessions,
        effort: { ...effort(), mostMs: Math.min(effort().mostMs, MEASURED_MS) },
      }),
  },
  {
    name: `discovery over ${manyCatalogs} catalogs`,
    store: '',
    seconds: SECONDS.discovery,
    measured: () => crowdedDiscovery(manyCatalogs, smoke ? 8 : 400),
  },
  {
    name: `${idleSessions} idle sessions / 1500 bytes for each`,
    store: 'memory',
    seconds: SECONDS.idle,
    measured: async () => [await idleMemory(idleSessions)],
  },
]

const planned = entries.reduce((sum, { seconds }) => sum + seconds, 0)
if (planned > MOST) throw new Error(`the contests take ${planned} s, and have ${MOST} s`)

const chosen = entries.filter(({ name }) => name.toLowerCase().includes(only.toLowerCase()))
if (chosen.length === 0) {
  const names = [...new Set(entries.map(({ name }) => name))]
  process.stderr.write(`No contest has ${only} in its name. The contests are:\n${names.join('\n')}\n`)
  process.exit(2)
}
let isBroken = false
for (const { seconds, measured } of chosen) {
  const began = performance.now()
  const effort = (): Effort =>
    smoke
      ? { rounds: 2, sliceMs: 2, mostMs: 1000 }
      : { ...FULL, mostMs: Math.max(0, seconds * 1000 - (performance.now() - began)) }
  for (const verdict of await measured(effort)) {
    isBroken ||= !verdict.holds
    process.stdout.write(json ? `${JSON.stringify({ ...verdict, smoke })}\n` : `${row(verdict)}\n`)
  }
}
client.close()
// A smoke run is too short to judge.
process.exit(smoke || !isBroken ? 0 : 1)

async function costOf(
  name: string,
  store: string,
  contest: Contest,
  effort: Effort,
): Promise<readonly Verdict[]> {
  try {
    const { subject } = contest
    const full = subject === undefined ? name : `${name} (${subject})`
    return [await measure(contest, { name: full, store }, effort)]
  } finally {
    await contest.close?.()
  }
}

function row({ name, store, ours, base, unit, ratio, quartiles, bound, holds }: Verdict): string {
  const judged =
    bound === undefined ? 'reported' : `<= ${bound} ${smoke ? '(not judged)' : holds ? 'holds' : 'BROKEN'}`
  return [
    name.padEnd(58),
    store.padEnd(7),
    `${ours.toFixed(1)} ${unit}`.padStart(13),
    `${base.toFixed(1)} ${unit}`.padStart(13),
    ratio.toFixed(3).padStart(8),
    (quartiles ? quartiles.map((one) => one.toFixed(3)).join('..') : '').padStart(13),
    `  ${judged}`,
  ].join(' ')
}
