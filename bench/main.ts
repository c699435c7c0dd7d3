import { loadClient } from './client.ts'
import { engineContext } from './engine-context.ts'
import { build } from './house.ts'
import { httpContext } from './http-context.ts'
import { readingContest, teachingContest } from './language.ts'
import { mcpContext } from './mcp-context.ts'
import { measure, type Contest, type Verdict } from './measure.ts'

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
for (const contest of [await readingContest(), await teachingContest()]) await judge(contest)
client.close()
if (json) process.stdout.write(`${JSON.stringify({ node: process.version, smoke, verdicts })}\n`)
// A smoke run is too short to judge.
process.exit(smoke || verdicts.every(({ holds }) => holds) ? 0 : 1)

async function judge(contest: Contest): Promise<void> {
  const verdict = await measure(contest, effort)
  await contest.close?.()
  verdicts.push(verdict)
  if (!json) process.stdout.write(`${row(verdict)}\n`)
}

function row({ name, store, oursUs, baseUs, ratio, bound, holds }: Verdict): string {
  const judged =
    bound === undefined ? 'reported' : `<= ${bound} ${smoke ? '(not judged)' : holds ? 'holds' : 'BROKEN'}`
  return [
    name.padEnd(46),
    store.padEnd(7),
    `${oursUs.toFixed(1)} µs`.padStart(11),
    `${baseUs.toFixed(1)} µs`.padStart(11),
    ratio.toFixed(3).padStart(8),
    `  ${judged}`,
  ].join(' ')
}
