import type { Caller } from '../../access/caller.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { Parts } from '../parts.ts'
import { engineProblem } from '../problems.ts'
import { principalKey } from '../session/principal.ts'
import { type Conversation, shown } from './conversation.ts'
import { type Held, Turn } from './turn.ts'

/** How long a turn keeps its place without renewal: so long a conversation is blocked after its process was killed. */
const HOLD_MS = 5000
/** Lines per read. */
const PAGE = 200
/** The longest id that is looked up. */
const ID_CHARACTERS = 200

/**
 * The conversations of hosts with a caller, durable and append-only. One turn at a time appends to a conversation, whatever
 * processes share the store.
 */
export class Conversations {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Keeps a new conversation under an id that was never given before. Gives `conversations_full`. */
  async begin(
    caller: Caller,
    headOf: (id: string) => string,
  ): Promise<Result<{ readonly id: string; readonly head: string }>> {
    const { newId, limits, store } = this.#parts
    const { conversationsPerPrincipal: most, recordLifeMs: lifeMs } = limits
    const id = `sess_${newId()}`
    const head = headOf(id)
    const begun = await store.transcripts.begin(principalKey(caller), id, head, { lifeMs, most })
    if (begun === 'taken') throw new Error('a random id was given twice')
    return begun === 'full' ? failed([engineProblem('conversations_full', { most })]) : ok({ id, head })
  }

  /** Gives `unknown_conversation`. Looking writes nothing. */
  async find(caller: Caller, id: string): Promise<Result<Conversation>> {
    const found =
      id.length > ID_CHARACTERS ? null : await this.#parts.store.transcripts.find(principalKey(caller), id)
    return found ? ok(shown(found)) : failed([engineProblem('unknown_conversation', {})])
  }

  /** The caller's conversations, newest first, below a number (null: from the newest). */
  async list(caller: Caller, below: number | null, limit: number): Promise<readonly Conversation[]> {
    const listed = await this.#parts.store.transcripts.list(principalKey(caller), below, limit)
    return listed.map(shown)
  }

  /** Calls `use` with each line that is there now, in order, and waits for it. */
  async eachLine(
    caller: Caller,
    { id, lines }: Conversation,
    use: (line: string) => Promise<void> | void,
  ): Promise<void> {
    const { transcripts } = this.#parts.store
    for (let from = 0; from < lines; from += PAGE) {
      const page = await transcripts.lines(principalKey(caller), id, from, Math.min(PAGE, lines - from))
      if (page.length === 0) return
      for (const line of page) await use(line)
    }
  }

  /**
   * Begins a turn; no other turn of the conversation begins before it ends, or before its process is gone.
   *
   * Gives `unknown_conversation`, `conversation_busy`, `conversation_full` or `bytes_full`.
   */
  async turn(caller: Caller, id: string): Promise<Result<Turn>> {
    const { store, limits, newId } = this.#parts
    const principal = principalKey(caller)
    const holder = newId()
    const unknown = () => failed([engineProblem('unknown_conversation', {})])
    if (id.length > ID_CHARACTERS) return unknown()
    const [full, hold] = await Promise.all([
      store.holdsBytes(principal, limits.bytesPerPrincipal),
      store.transcripts.hold(principal, id, holder, HOLD_MS),
    ])
    if (!hold) return unknown()
    if (!hold.held) return failed([engineProblem('conversation_busy', {})])
    const held: Held = { principal, id, holder, holdMs: HOLD_MS, lifeMs: limits.recordLifeMs }
    const turn = new Turn(this.#parts, held, shown(hold.before))
    if (!full && hold.before.bytes < limits.conversationBytes) return ok(turn)
    await turn.end()
    return failed([
      full
        ? engineProblem('bytes_full', { most: limits.bytesPerPrincipal })
        : engineProblem('conversation_full', { most: limits.conversationBytes }),
    ])
  }

  /** Drops the conversation; false if there is none. The logical session stays. */
  async drop(caller: Caller, id: string): Promise<boolean> {
    return id.length <= ID_CHARACTERS && this.#parts.store.transcripts.drop(principalKey(caller), id)
  }
}
