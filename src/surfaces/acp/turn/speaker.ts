import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { Turn } from '../../../engine/index.ts'

interface SpeakerParts {
  readonly turn: Pick<Turn, 'append'>
  readonly send: (update: SessionUpdate) => Promise<void>
  /** The conversation belongs to another turn, or is gone: this turn must stop. */
  readonly onLost: () => void
  readonly report: (error: unknown) => void
}

interface Said {
  readonly update: SessionUpdate
  readonly isSent: boolean
  readonly isStored: boolean
}

/**
 * Says something to the client: each update is durable before it is sent, and sent in the order in which it was said.
 * Updates that arrive while the store is busy are stored together.
 */
export class Speaker {
  readonly #parts: SpeakerParts
  #queue: Said[] = []
  #running: Promise<void> | undefined
  /** Were all updates stored? */
  isKept = true

  constructor(parts: SpeakerParts) {
    this.#parts = parts
  }

  say(update: SessionUpdate): void {
    this.#add({ update, isSent: true, isStored: true })
  }

  /** What the client knows already, such as its own prompt: kept, and sent only when it is replayed. */
  note(update: SessionUpdate): void {
    this.#add({ update, isSent: false, isStored: true })
  }

  /** What is true only now, such as the commands: sent, and not kept. */
  mention(update: SessionUpdate): void {
    this.#add({ update, isSent: true, isStored: false })
  }

  /** Resolves once everything that was said is stored and written. */
  async flushed(): Promise<void> {
    while (this.#running) await this.#running
  }

  #add(said: Said): void {
    this.#queue.push(said)
    this.#running ??= this.#run().finally(() => (this.#running = undefined))
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0)
      await this.#keep(batch.filter(({ isStored }) => isStored).map(({ update }) => JSON.stringify(update)))
      // A client that is gone misses them; the transcript has them.
      for (const { update, isSent } of batch)
        if (isSent) await this.#parts.send(update).catch(() => undefined)
    }
  }

  /** What cannot be kept is sent all the same: it happened. */
  async #keep(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return
    try {
      if (await this.#parts.turn.append(lines)) return
      this.#parts.onLost()
    } catch (error) {
      this.#parts.report(error)
    }
    this.isKept = false
  }
}
