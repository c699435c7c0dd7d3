import { randomUUID } from 'node:crypto'
import { utf8Bytes } from '../../../base/canonical.ts'
import type { Addition, Transcript, TranscriptStore } from '../../../engine/conversation/store.ts'
import { tagOf } from './keys.ts'
import type { RedisParts } from './parts.ts'
import { stamp, texts } from './reply.ts'

/** The most transcripts that one call of the server looks at. */
const READ_AT_ONCE = 200

/** Transcripts in Redis, in the slot of their principal. Each write has an id, so that it may safely arrive twice. */
export class RedisTranscripts implements TranscriptStore {
  readonly #parts: RedisParts

  constructor(parts: RedisParts) {
    this.#parts = parts
  }

  async begin(
    principal: string,
    id: string,
    head: string,
    { lifeMs, most }: { readonly lifeMs: number; readonly most: number },
  ): Promise<'begun' | 'taken' | 'full'> {
    const { functions, keys, clock } = this.#parts
    const names = [...this.#keysOf(principal, id), ...keys.transcriptIndex(principal)]
    const [prefix] = keys.transcript(principal)
    const args = [stamp(clock), tagOf(id), JSON.stringify(id), head, lifeMs, most, randomUUID(), prefix]
    const answer = await functions.call('begin_transcript', names, args)
    return answer === 'begun' || answer === 'full' ? answer : 'taken'
  }

  async find(principal: string, id: string): Promise<Transcript | null> {
    const { functions, clock } = this.#parts
    const [key] = this.#keysOf(principal, id)
    return transcriptOf(texts(await functions.call('find_transcript', [key], [stamp(clock)])))
  }

  async list(principal: string, below: number | null, limit: number): Promise<readonly Transcript[]> {
    const { functions, keys, clock } = this.#parts
    const [index] = keys.transcriptIndex(principal)
    const [prefix] = keys.transcript(principal)
    const from = below === null ? '+inf' : `(${below}`
    const args = [stamp(clock), from, Math.min(limit, READ_AT_ONCE), prefix]
    const listed = await functions.call('list_transcripts', [index], args)
    return Array.isArray(listed) ? listed.flatMap((one: unknown) => transcriptOf(texts(one)) ?? []) : []
  }

  async hold(principal: string, id: string, holder: string, holdMs: number) {
    const { functions, clock } = this.#parts
    const [key] = this.#keysOf(principal, id)
    const reply = texts(await functions.call('hold_transcript', [key], [stamp(clock), holder, holdMs]))
    const before = transcriptOf(reply)
    return before ? { held: reply.at(-1) === '1', before } : null
  }

  async append(
    principal: string,
    id: string,
    holder: string,
    { lines, head, holdMs, lifeMs }: Addition,
  ): Promise<boolean> {
    const { functions, keys, clock } = this.#parts
    const [index, counter] = keys.transcriptIndex(principal)
    const names = [...this.#keysOf(principal, id), index, counter]
    const isHead = head === undefined ? '0' : '1'
    const args = [stamp(clock), holder, randomUUID(), head ?? '', holdMs, lifeMs, isHead, ...lines]
    const isAppended = Number(await functions.call('append_lines', names, args)) === 1
    if (isAppended && lines.length > 0) this.#spend(principal, lines, lifeMs)
    return isAppended
  }

  async lines(principal: string, id: string, from: number, limit: number): Promise<readonly string[]> {
    const { functions, clock } = this.#parts
    if (limit <= 0) return []
    const args = [stamp(clock), from, from + limit - 1]
    const held = texts(await functions.call('transcript_lines', this.#keysOf(principal, id), args))
    return held.map((line) => line ?? '')
  }

  async drop(principal: string, id: string): Promise<boolean> {
    const { functions, keys, clock } = this.#parts
    const names = [...this.#keysOf(principal, id), keys.transcriptIndex(principal)[0]]
    return Number(await functions.call('drop_transcript', names, [stamp(clock), tagOf(id)])) === 1
  }

  #keysOf(principal: string, id: string): readonly [head: string, lines: string] {
    const [head, lines] = this.#parts.keys.transcript(principal)
    return [head + tagOf(id), lines + tagOf(id)]
  }

  /** Not awaited: whatever reads the account comes later on the same connection. */
  #spend(principal: string, lines: readonly string[], lifeMs: number): void {
    const { functions, keys, clock } = this.#parts
    const bytes = lines.reduce((sum, line) => sum + utf8Bytes(line), 0)
    functions.call('spend', [keys.usage(principal)], [stamp(clock), bytes, lifeMs]).catch(() => undefined)
  }
}

function transcriptOf(reply: readonly (string | null)[]): Transcript | null {
  const [now, id, number, head, lines, bytes, updatedAt, holder, heldUntil] = reply
  if (id === null || id === undefined) return null
  return {
    id: String(JSON.parse(id)),
    number: Number(number),
    head: head ?? '',
    lines: Number(lines),
    bytes: Number(bytes),
    updatedAt: Number(updatedAt),
    holder: holder ?? '',
    heldUntil: Number(heldUntil),
    now: Number(now),
  }
}
