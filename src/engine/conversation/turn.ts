import type { Parts } from '../parts.ts'
import type { PrincipalKey } from '../../session/store.ts'
import type { Conversation } from './conversation.ts'

/** The place of a turn in its conversation. */
export interface Held {
  readonly principal: PrincipalKey
  readonly id: string
  readonly holder: string
  readonly holdMs: number
  readonly lifeMs: number
}

/** One turn of a conversation: the only one that appends to it until it ends. */
export class Turn {
  /** The conversation as the turn found it. */
  readonly conversation: Conversation
  readonly #parts: Parts
  readonly #held: Held
  readonly #release: () => void

  constructor(parts: Parts, held: Held, conversation: Conversation) {
    this.#parts = parts
    this.#held = held
    this.conversation = conversation
    this.#release = parts.every(held.holdMs / 3, async () => void (await this.append([])))
  }

  /**
   * Appends lines of JSON text, and replaces the head where one is given; durable once it resolves. False, and nothing is
   * stored, if another process took the turn's place or the conversation was dropped.
   */
  append(lines: readonly string[], head?: string): Promise<boolean> {
    const { principal, id, holder, holdMs, lifeMs } = this.#held
    return this.#parts.store.transcripts.append(principal, id, holder, { lines, head, holdMs, lifeMs })
  }

  /** Gives up the turn's place. */
  async end(): Promise<void> {
    this.#release()
    const { principal, id, holder, lifeMs } = this.#held
    await this.#parts.store.transcripts.append(principal, id, holder, { lines: [], holdMs: 0, lifeMs })
  }
}
