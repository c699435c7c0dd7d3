import type { CatalogSet } from '../../catalog/lookup.ts'
import type { CatalogPick, SessionRecord } from '../../session/record.ts'
import type { ContextFacts, Reply } from '../contract.ts'

/** What two requests are compared by. */
interface ComparedRequest {
  readonly intent?: string
  readonly forkOf?: { readonly text: string }
  readonly have?: number
  readonly picks: readonly Pick<CatalogPick, 'catalog' | 'entities'>[]
}

/** The inputs of an answer, beside the session's record. */
interface Asked {
  readonly delegated: string | undefined
  readonly request: ComparedRequest
  readonly set: CatalogSet
  readonly ordinal: number | null
  readonly delivered: number
  /** The address behind `fork_of`: members of one tenant have different sessions under the same short ref. */
  readonly parent: string | undefined
  /** The conversation of the host that the session is bound to. */
  readonly conversation: string | undefined
}

interface Given {
  readonly asked: Asked
  readonly reply: Reply<ContextFacts>
}

/**
 * The last answer about each session that taught nothing new and changed nothing. It is a function of the record, of what
 * else the store found and of what was asked: equal inputs give the same answer.
 */
export class Repeats {
  /** Records are frozen, and stores give the same object for a record in use. */
  readonly #given = new WeakMap<SessionRecord, Given>()

  keep(record: SessionRecord, asked: Asked, reply: Reply<ContextFacts>): void {
    this.#given.set(record, { asked, reply })
  }

  of(record: SessionRecord, asked: Asked): Reply<ContextFacts> | undefined {
    const given = this.#given.get(record)
    return given && sameAsked(given.asked, asked) ? given.reply : undefined
  }
}

function sameAsked(a: Asked, b: Asked): boolean {
  return (
    a.delegated === b.delegated &&
    a.set === b.set &&
    a.ordinal === b.ordinal &&
    a.delivered === b.delivered &&
    a.parent === b.parent &&
    a.conversation === b.conversation &&
    sameRequest(a.request, b.request)
  )
}

function sameRequest(a: ComparedRequest, b: ComparedRequest): boolean {
  return (
    a.intent === b.intent &&
    a.forkOf?.text === b.forkOf?.text &&
    a.have === b.have &&
    a.picks.length === b.picks.length &&
    a.picks.every((pick, index) => {
      const other = b.picks[index]
      return (
        pick.catalog === other?.catalog &&
        pick.entities.length === other.entities.length &&
        pick.entities.every((entity, place) => entity === other.entities[place])
      )
    })
  )
}
