import { sha256 } from '../../../base/hash.ts'
import type { EntryKind, Owner } from '../../../execution/store.ts'

/** A principal as keys and fields hold it: 128 bits of its hash, so that it may be of any length and hold any character. */
export type PrincipalTag = string

/**
 * The names of all keys of one deployment. What is changed together shares a hash tag (`{…}`), and so a slot of a
 * Redis Cluster: all of one session, all of one principal's names.
 */
export class Keys {
  /** Which store this is: its life, and what its secret left there. */
  readonly store: string
  /** What all nodes share besides sessions. */
  readonly texts: string
  readonly #root: string

  /** @param prefix of the operator's choosing, tells deployments on one server apart; may be empty */
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
    // As JSON, a principal with lone surrogates has a UTF-8 of its own.
    return sha256(JSON.stringify(principal)).slice(0, 32)
  }

  /** The counter of a principal's names, their index, and what was reserved for one session. */
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

  /** How much a principal has. */
  usage(principal: string): string {
    return `${this.#root}:U:{${this.principal(principal)}}`
  }

  /** What the key of an entry starts with: the tag of its name follows. */
  entry(owner: Owner, kind: EntryKind): string {
    return `${this.#root}:E:${this.#owner(owner, kind)}:`
  }

  /** The order of an owner's entries, their expiries and the numbers given. */
  entryIndex(owner: Owner, kind: EntryKind): readonly [order: string, ends: string, counter: string] {
    const of = this.#owner(owner, kind)
    return [`${this.#root}:X:${of}`, `${this.#root}:Y:${of}`, `${this.#root}:L:${of}`]
  }

  #owner(owner: Owner, kind: EntryKind): string {
    return `{${tagOf(owner.address)}}:${this.principal(owner.principal)}:${kind}`
  }
}

/** Text of any kind as a part of a key: short plain words as they are, all else by its hash. */
export function tagOf(text: string): string {
  return /^[\w.:-]{1,64}$/.test(text) ? text : `~${sha256(JSON.stringify(text))}`
}
