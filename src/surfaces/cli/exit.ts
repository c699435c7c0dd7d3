import type { Problem } from '../../base/diagnostic.ts'
import { problem as settingProblem } from '../../config/problems.ts'
import { cliProblem } from './problems.ts'

/** Exit codes: done; refused or failed; wrong command line. */
export const EXIT = { ok: 0, problem: 1, usage: 2 } as const
export type Exit = (typeof EXIT)[keyof typeof EXIT]

const { cannot_listen: _, ...OWN } = cliProblem.table

/** Problems of the command line and of settings: their form, and the files that they name. */
const USAGE: ReadonlySet<string> = new Set([
  ...Object.keys(OWN),
  ...Object.keys(settingProblem.table),
  'bad_arguments',
  'bad_catalog_id',
  'bad_have',
  'bad_intent',
  'bad_ref',
  'empty_seed',
  'host_protocol',
  'key_bad_expiry',
  'key_bad_name',
  'key_bad_surface',
  'missing_intent',
  'missing_program',
  'missing_seeds',
  'unknown_host',
])

/** The exit code of a refusal: the same problem always gives the same one, whichever module finds it. */
export function exitOf(problems: readonly Problem[]): Exit {
  return problems.some(({ code }) => USAGE.has(code)) ? EXIT.usage : EXIT.problem
}
