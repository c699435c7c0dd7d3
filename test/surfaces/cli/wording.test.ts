import { expect, test } from 'vitest'
import {
  inCommands,
  notesInCommands,
  refusalInCommands,
  runInCommands,
} from '../../../src/surfaces/cli/wording.ts'
import { allRows } from '../../docs/error-tables.ts'

test.each([
  [
    'Call `plasm_context` with the same `intent` (or `logical_session_ref`: `s0`) and your `seeds`.',
    'Run `plasmid context` with the same `--intent` (or `--ref s0`) and your `--seed`.',
  ],
  [
    'Call `plasm` with this program, review its plan, and call `plasm_run` with the same program and `plan`.',
    'Run `plasmid plan` with this program, review its plan, and run `plasmid run` with the same program and `--plan`.',
  ],
  [
    'Call plasm_context with the seed {"api": "shop", "entity": "Order"}.',
    'Run `plasmid context` with `--seed shop:Order`.',
  ],
  [
    'Copy `api` and `entity` from a row of `discover_capabilities`.',
    'Copy `api` and `entity` from a row of `plasmid discover`.',
  ],
  [
    'Ask your user to confirm when prompted, or to run the program with plan `pc1` on the command line; otherwise omit it.',
    'Run the same command at a terminal, where a person is asked to agree, or omit the change.',
  ],
])('%s', (sentence, words) => {
  expect(inCommands(sentence)).toBe(words)
})

test('no next step of an error names a tool', async () => {
  const steps = (await allRows()).map(({ next }) => inCommands(next))
  expect(steps.filter((next) => /\b(?:plasm_\w+|discover_capabilities)\b|`plasm`/.test(next))).toEqual([])
})

test('a note of a plan names the command, and its steps stay', () => {
  const text =
    '01 r1 data "`plasm_run`"\n_Run it: `plasm_run` with this program and `plan`: `pc1`, within 10 minutes._\n'
  expect(notesInCommands(text)).toBe(
    '01 r1 data "`plasm_run`"\n_Run it: `plasmid run` with this program and `--plan pc1`, within 10 minutes._\n',
  )
})

test('what happened is left as an API says it', () => {
  const [message, next] = ['The API: no `plan` given.', 'Call `plasm` again.']
  const problem = { code: 'api_error', message, next }
  expect(refusalInCommands(`**api_error**: ${message} ${next}`, [problem])).toBe(
    `**api_error**: ${message} Run \`plasmid plan\` again.`,
  )
})

test('a run names the commands of its next page and of its problems, and its rows stay', () => {
  const next = 'Call `plasm_run` with this program and `plan`: `pc2`.'
  const rows = 'use `page(s0_pg2)`, call `plasm_run`'
  const more = (what: string) => `\nmore pages available - ${what} for the next page.`
  const problems = [{ code: 'rest_planned' as const, message: 'Some are left.', next }]
  const paging = [{ return_label: 'r', has_more: true as const, count: 1, next_page_handle: 's0_pg1' }]
  expect(
    runInCommands({
      ok: true,
      text: `${rows}\n${more('use `page(s0_pg1)`')}\n**rest_planned**: Some are left. ${next}`,
      meta: { logical_session_ref: 's0', paging },
      facts: {
        logicalSessionRef: 's0',
        results: [],
        effects: [],
        usage: { calls: 0, rows: 0, bytes: 0, milliseconds: 0 },
        problems,
      },
    }),
  ).toBe(
    `${rows}\n${more('run `plasmid page s0_pg1`')}\n**rest_planned**: Some are left. Run \`plasmid run\` with this program and \`--plan pc2\`.`,
  )
})
