import type { z } from 'zod'
import type { Problem } from '../../base/diagnostic.ts'
import type { Confirmation, RunFacts } from '../../engine/index.ts'
import type { effect, refusalBody } from './refusal-schema.ts'

/** What a refusal carries beside its problems. */
export interface RefusedBesides {
  /** What a person has to agree to: sent with the same request as `confirm`, its code runs the plan. */
  readonly confirm?: Confirmation | undefined
  /** What became of the changes of a run that nothing came of but problems. */
  readonly effects?: RunFacts['effects'] | undefined
}

/** A refusal: its problems, the text that states them, and the outcomes of the changes of a run. */
export function toRefusalBody(
  problems: readonly Problem[],
  detail: string,
  { confirm, effects = [] }: RefusedBesides = {},
): z.output<typeof refusalBody> {
  return {
    detail,
    code: problems[0]?.code ?? 'internal_error',
    problems,
    ...(confirm && { confirm }),
    ...(effects.length > 0 && { effects: effects.map(toEffect) }),
  }
}

export function toEffect({
  catalog,
  capability,
  row,
  state,
  problem,
}: RunFacts['effects'][number]): z.output<typeof effect> {
  return { api: catalog, capability, row: row + 1, state, ...(problem && { problem }) }
}
