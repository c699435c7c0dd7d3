import type { Problem } from '../../base/diagnostic.ts'
import type { Plan } from '../../language/plan/plan.ts'
import type { Reply, RunFacts } from '../contract.ts'
import type { EffectBound } from './effects.ts'
import type { RestOrigin, RunLines } from './ledger.ts'
import type { InPieces } from '../session/pieces.ts'
import type { UsesList } from '../session/uses.ts'

/** A run of the same program whose outcome is not known as a whole. */
export interface EarlierRun {
  /** Its plan; absent for a run that needed none. */
  readonly plan?: string
  readonly state: 'running' | 'interrupted' | 'unknown'
}

/** A run that changes data, as it is kept: its program and catalogs, the changes that it may make, and its outcome. */
export interface StoredRun {
  /** Of the session that a plan was reviewed in. */
  readonly ref?: string
  readonly digest: string
  readonly catalogs: Plan['catalogs']
  readonly revision: number
  readonly effects: readonly EffectBound[]
  /** `open`: a plan that was reviewed and not run. `cut_off`: it ended without an answer; the ledger knows more. */
  readonly state: 'open' | 'running' | 'cut_off' | 'done'
  /** What its review said of an earlier run of the same program. */
  readonly earlier?: EarlierRun
  /** The name of the run in the ledger. */
  readonly run?: string
  /** Until then it counts as running without a lease, in milliseconds on the store's clock. */
  readonly runsUntil?: number
  /** The store may have lost lines of its ledger. */
  readonly lost?: true
  /** Once it was found cut off: the plans of what its loops did not send, as they are stated. */
  readonly offered?: readonly Problem[]
  /** What runs instead of the program: the rows of it that an earlier run did not send. */
  readonly rest?: Plan
  readonly restOf?: RestOrigin
  /** Its answer; a large one without its rows. */
  readonly outcome?: Reply<RunFacts>
  /** A large answer as a whole. */
  readonly whole?: InPieces
  /** What it used: its outcome is withheld from a caller who may no longer use it. */
  readonly uses?: UsesList
}

/** The run as its ledger names it. */
export function linesOf({ run = '', restOf }: Pick<StoredRun, 'run' | 'restOf'>): RunLines {
  return { name: run, restOf }
}
