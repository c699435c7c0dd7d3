import type { Clock } from '../../../base/clock.ts'
import { utf8Bytes } from '../../../base/canonical.ts'
import type { Addition, Transcript, TranscriptStore } from '../../../engine/conversation/store.ts'
import { sweeper } from './sweep.ts'

interface Kept {
  readonly id: string
  readonly number: number
  head: string
  readonly lines: string[]
  bytes: number
  updatedAt: number
  expiresAt: number
  holder: string
  heldUntil: number
}

/** Transcripts in the memory of this process. Every method is synchronous, so no two interleave. */
export class MemoryTranscripts implements TranscriptStore {
  readonly #clock: Clock
  /** By principal and id; oldest first. */
  readonly #kept = new Map<string, Map<string, Kept>>()
  readonly #sweep = sweeper(() => this.#expired())
  #last = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async begin(
    principal: string,
    id: string,
    head: string,
    { lifeMs, most }: { readonly lifeMs: number; readonly most: number },
  ): Promise<'begun' | 'taken' | 'full'> {
    if (this.#alive(principal, id)) return 'taken'
    if (this.#countOf(principal, most) >= most) return 'full'
    const own = this.#kept.get(principal) ?? new Map<string, Kept>()
    this.#kept.set(principal, own)
    const now = this.#clock.now()
    own.set(id, {
      id,
      number: ++this.#last,
      head,
      lines: [],
      bytes: 0,
      updatedAt: now,
      expiresAt: now + lifeMs,
      holder: '',
      heldUntil: 0,
    })
    this.#sweep()
    return 'begun'
  }

  async find(principal: string, id: string): Promise<Transcript | null> {
    const kept = this.#alive(principal, id)
    return kept ? this.#shown(kept) : null
  }

  async list(principal: string, below: number | null, limit: number): Promise<readonly Transcript[]> {
    const now = this.#clock.now()
    return [...(this.#kept.get(principal)?.values() ?? [])]
      .filter(({ number, expiresAt }) => expiresAt > now && (below === null || number < below))
      .toSorted((a, b) => b.number - a.number)
      .slice(0, limit)
      .map((kept) => this.#shown(kept))
  }

  async hold(principal: string, id: string, holder: string, holdMs: number) {
    const kept = this.#alive(principal, id)
    if (!kept) return null
    const before = this.#shown(kept)
    const held = kept.holder === '' || kept.holder === holder || kept.heldUntil <= before.now
    if (held) Object.assign(kept, { holder, heldUntil: before.now + holdMs })
    return { held, before }
  }

  async append(
    principal: string,
    id: string,
    holder: string,
    { lines, head, holdMs, lifeMs }: Addition,
  ): Promise<boolean> {
    const kept = this.#alive(principal, id)
    if (!kept || kept.holder !== holder) return false
    const now = this.#clock.now()
    kept.lines.push(...lines)
    kept.bytes += lines.reduce((sum, line) => sum + utf8Bytes(line), 0)
    if (lines.length > 0 || head !== undefined) kept.updatedAt = now
    kept.expiresAt = now + lifeMs
    kept.head = head ?? kept.head
    kept.holder = holdMs > 0 ? holder : ''
    kept.heldUntil = holdMs > 0 ? now + holdMs : 0
    this.#sweep()
    return true
  }

  async lines(principal: string, id: string, from: number, limit: number): Promise<readonly string[]> {
    return this.#alive(principal, id)?.lines.slice(from, from + limit) ?? []
  }

  async drop(principal: string, id: string): Promise<boolean> {
    const isThere = this.#alive(principal, id) !== undefined
    this.#delete(principal, id)
    return isThere
  }

  bytesOf(principal: string): number {
    let bytes = 0
    for (const kept of this.#kept.get(principal)?.values() ?? []) bytes += kept.bytes
    return bytes
  }

  /** How many it has; expired ones are removed at the limit. */
  #countOf(principal: string, most: number): number {
    const own = this.#kept.get(principal)
    if (own && own.size >= most) for (const id of own.keys()) this.#alive(principal, id)
    return this.#kept.get(principal)?.size ?? 0
  }

  #alive(principal: string, id: string): Kept | undefined {
    const kept = this.#kept.get(principal)?.get(id)
    if (!kept || kept.expiresAt > this.#clock.now()) return kept
    this.#delete(principal, id)
    return undefined
  }

  #delete(principal: string, id: string): void {
    const own = this.#kept.get(principal)
    own?.delete(id)
    if (own?.size === 0) this.#kept.delete(principal)
  }

  #shown({ id, number, head, lines, bytes, updatedAt, holder, heldUntil }: Kept): Transcript {
    const now = this.#clock.now()
    return { id, number, head, lines: lines.length, bytes, updatedAt, holder, heldUntil, now }
  }

  *#expired(): Generator<void> {
    for (const [principal, own] of this.#kept)
      for (const id of own.keys()) {
        this.#alive(principal, id)
        yield
      }
  }
}
