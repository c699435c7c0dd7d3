import { engineContext } from './engine-context.ts'
import { build } from './house.ts'
import { httpContext } from './http-context.ts'
import { mcpContext } from './mcp-context.ts'
import { measure, type Verdict } from './measure.ts'

/*
 * What a repeated context costs beside the least that its surface could do: CPU time a request, as a ratio, both measured
 * in turns in one process. `--smoke`: only that everything runs. `--json`: one line for machines. Exit code 1 where a
 * bound does not hold.
 */

const smoke = process.argv.includes('--smoke')
const json = process.argv.includes('--json')
const effort = smoke ? { rounds: 3, roundMs: 2 } : { rounds: 41, roundMs: 40 }

const verdicts: Verdict[] = []
for (const store of ['memory', 'sqlite'] as const) {
  const house = await build(store)
  try {
    const contests = [
      await httpContext(house),
      await mcpContext(house, '2025'),
      await mcpContext(house, '2026'),
      engineContext(house),
    ]
    for (const contest of contests) {
      const verdict = await measure(contest, effort)
      verdicts.push(verdict)
      if (!json) process.stdout.write(`${row(verdict)}\n`)
    }
  } finally {
    await house.close()
  }
}
if (json) process.stdout.write(`${JSON.stringify({ node: process.version, smoke, verdicts })}\n`)
// A smoke run is too short to judge.
process.exit(smoke || verdicts.every(({ holds }) => holds) ? 0 : 1)

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
