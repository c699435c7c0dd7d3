import { loadClient } from './client.ts'
import { engineContext } from './engine-context.ts'
import { build } from './house.ts'
import { httpContext } from './http-context.ts'
import { readingContest, rebuildContest, teachingContest } from './language.ts'
import { race, type Race } from './latency.ts'
import { mcpContext } from './mcp-context.ts'
import { largeCatalog } from './large-catalog.ts'
import { measure, type Contest, type Effort, type Verdict } from './measure.ts'
import { paging } from './paging.ts'
import { crowded, durableContext, redisContext } from './stores.ts'
import { atRest } from './at-rest.ts'

/*
 * What a repeated context costs beside the least that its surface could do: CPU time a request, as a ratio, both measured
 * in turns in one process, which a client in another process calls. `--smoke`: only that everything runs. `--json`: one line for machines. Exit code 1 where a
 * bound does not hold.
 */

const smoke = process.argv.includes('--smoke')
const json = process.argv.includes('--json')
const effort = smoke ? { rounds: 3, roundMs: 2 } : { rounds: 41, roundMs: 40 }

const client = loadClient()
const verdicts: Verdict[] = []
for (const store of ['memory', 'sqlite'] as const) {
  const house = await build(store)
  try {
    const contests = [
      await httpContext(house, client),
      await mcpContext(house, '2025', client),
      await mcpContext(house, '2026', client),
      engineContext(house),
    ]
    for (const contest of contests) await judge(contest)
  } finally {
    await house.close()
  }
}
for (const contest of [await readingContest(), await teachingContest(), await rebuildContest()])
  await judge(contest)
await judge(await largeCatalog())
// Every snapshot stays in memory.
await judge(await paging(), { ...effort, rounds: Math.min(effort.rounds, 11) })
await judge(await durableContext(client))
await judgeWaits(await redisContext())
for (const kind of ['memory', 'sqlite', 'redis'] as const)
  await judgeWaits(await crowded(kind, smoke ? 1 : 100))
say(await atRest(smoke ? 1000 : 1_000_000))
client.close()
if (json) process.stdout.write(`${JSON.stringify({ node: process.version, smoke, verdicts })}\n`)
// A smoke run is too short to judge.
process.exit(smoke || verdicts.every(({ holds }) => holds) ? 0 : 1)

async function judge(contest: Contest, howMuch: Effort = effort): Promise<void> {
  say(await measure(contest, howMuch))
  await contest.close?.()
}

async function judgeWaits(contest: Race | undefined): Promise<void> {
  if (!contest) return
  for (const one of await race(contest, effort)) say(one)
  await contest.close?.()
}

function say(one: Verdict): void {
  verdicts.push(one)
  if (!json) process.stdout.write(`${row(one)}\n`)
}

function row({ name, store, ours, base, unit, ratio, bound, holds }: Verdict): string {
  const judged =
    bound === undefined ? 'reported' : `<= ${bound} ${smoke ? '(not judged)' : holds ? 'holds' : 'BROKEN'}`
  return [
    name.padEnd(46),
    store.padEnd(7),
    `${ours.toFixed(1)} ${unit}`.padStart(11),
    `${base.toFixed(1)} ${unit}`.padStart(11),
    ratio.toFixed(3).padStart(8),
    `  ${judged}`,
  ].join(' ')
}
