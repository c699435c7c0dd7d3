import type { Clock } from '../base/clock.ts'
import type { Problem, Result } from '../base/diagnostic.ts'
import type { Pace } from '../base/slices/pace.ts'
import type { Catalog, ServedCatalog } from '../catalog/model.ts'
import type { EntityName } from '../language/plan/plan.ts'
import type { Budget } from './budget.ts'
import type { Called } from './invocation.ts'
import type { Continuation, EffectOutcome, KeptRows, Unsent } from './outcome.ts'
import type { Mcp } from './mcp.ts'
import type { TemplateRenderer } from './template.ts'
import type { Wire } from './wire.ts'

/** What a run needs of the world. */
export interface World {
  readonly wire: Wire
  /** The MCP servers of this session; absent where none can be called. */
  readonly mcp?: Mcp
  /** What the session was taught under a digest. It says what names mean, never where a call goes. */
  readonly model: (digest: string) => Catalog
  readonly budget: Budget
  readonly clock: Clock
  /** Of work over many rows. */
  readonly pace: Pace
  readonly render: TemplateRenderer
  readonly signal: AbortSignal
  /**
   * Asked before a request, and again right before it leaves: the catalog as it is served now, or why the call may not be made now. A right,
   * a credential or a capability that was taken back holds from the next request on.
   */
  readonly admit: (called: Called) => Promise<Result<ServedCatalog>>
  /**
   * The ledger: asked before an effect leaves (false, or why: it must not be sent), and given its outcome after it. Effects of one
   * run differ by node and row.
   */
  readonly ledger: {
    /** Takes the calls of a loop before the first of them leaves: what was not sent is known if the run ends without an answer. */
    readonly begin: (loop: Unsent) => Promise<void>
    readonly claim: (effect: {
      readonly node: string
      readonly row: number
      readonly capability: string
      readonly catalog: string
      /** As the table teaches it: `Issue.close`. */
      readonly called: string
      /** The key slots of what it is called on, where it is called on something. */
      readonly identity?: Readonly<Record<string, string>>
    }) => Promise<boolean | Problem>
    readonly settle: (
      effect: { readonly node: string; readonly row: number },
      state: EffectOutcome['state'],
    ) => Promise<void>
  }
  /** The expression that shows whether a change was done, for messages; undefined where no call reads it. */
  readonly tellingRead: (
    entity: EntityName,
    identity: Readonly<Record<string, string>> | undefined,
  ) => string | undefined
  /** After a row that the API refused: are the rows behind it changed all the same? Where nothing is said, they are not. */
  readonly continueOnRefusal?: (catalog: string) => boolean
  /** What is behind a page handle that the plan names: a read to continue, or rows that are kept; null for an unknown one. */
  readonly page: (handle: string) => Promise<Continuation | KeptRows | null>
  /** Tells this run from every other: what idempotency keys are made of. Without it none are sent. */
  readonly runId?: string
  /** Tells the session from every other; an API gets no more of it than a hash that is its own. */
  readonly sessionId?: string
}
