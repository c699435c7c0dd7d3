import { sha256 } from '../../../base/hash.ts'
import type { EntryKind, Owner } from '../../../engine/entry-store.ts'

/** A principal in keys and fields: 128 bits of its hash, so that any length and any character is safe. */
export type PrincipalTag = string

/**
 * The names of all keys of one deployment. Keys that change together share a hash tag (`{…}`), and so a slot of a Redis
 * Cluster: all keys of one session, and all keys of one principal's names.
 */
export class Keys {
  /** The store's epoch and secret fingerprint. */
  readonly store: string
  /** What all nodes share besides sessions. */
  readonly texts: string
  readonly #root: string

  /** @param prefix the operator's choice, which separates deployments on one server; may be empty */
  constructor(prefix: string) {
    this.#root = prefix === '' ? 'plasmid' : `plasmid:${prefix}`
    this.store = `${this.#root}:M`
    this.texts = `${this.#root}:T`
  }

  session(address: string): string {
    return `${this.#root}:S:{${tagOf(address)}}`
  }

  model(digest: string): string {
    return `${this.#root}:C:{${tagOf(digest)}}`
  }

  principal(principal: string): PrincipalTag {
    // JSON encodes lone surrogates, so that different principals have different UTF-8.
    return sha256(JSON.stringify(principal)).slice(0, 32)
  }

  /** The counter of a principal's names, their index, and the reservation for one session. */
  names(
    principal: PrincipalTag,
    address: string,
  ): readonly [counter: string, index: string, reserved: string] {
    const counter = `${this.#root}:N:{${principal}}`
    return [counter, this.nameIndex(principal), `${this.#root}:Q:{${principal}}:${tagOf(address)}`]
  }

  nameIndex(principal: PrincipalTag): string {
    return `${this.#root}:R:{${principal}}`
  }

  /** The bytes that a principal stores. */
  usage(principal: string): string {
    return `${this.#root}:U:{${this.principal(principal)}}`
  }

  /** The index of a principal's transcripts by their numbers, and the last number. */
  transcriptIndex(principal: string): readonly [index: string, counter: string] {
    const of = `{${this.principal(principal)}}`
    return [`${this.#root}:I:${of}`, `${this.#root}:J:${of}`]
  }

  /** A transcript without its lines, and its lines. The tag of its id follows. */
  transcript(principal: string): readonly [head: string, lines: string] {
    const of = `{${this.principal(principal)}}`
    return [`${this.#root}:V:${of}:`, `${this.#root}:W:${of}:`]
  }

  /** The prefix of an entry's key: the tag of its name follows. */
  entry(owner: Owner, kind: EntryKind): string {
    return `${this.#root}:E:${this.#owner(owner, kind)}:`
  }

  /** The order of an owner's entries, their expiries and the last number allocated. */
  entryIndex(owner: Owner, kind: EntryKind): readonly [order: string, ends: string, counter: string] {
    const of = this.#owner(owner, kind)
    return [`${this.#root}:X:${of}`, `${this.#root}:Y:${of}`, `${this.#root}:L:${of}`]
  }

  #owner(owner: Owner, kind: EntryKind): string {
    return `{${tagOf(owner.address)}}:${this.principal(owner.principal)}:${kind}`
  }
}

/** Any text as a part of a key: short plain words as they are, anything else by its hash. */
export function tagOf(text: string): string {
  return /^[\w.:-]{1,64}$/.test(text) ? text : `~${sha256(JSON.stringify(text))}`
}
