import { lengthPrefixed } from '../../../base/canonical.ts'
import { hmac128, sha256, type Secret } from '../../../base/hash.ts'
import type { EntryKind, Owner } from '../../../execution/store.ts'

/** A principal as keys and fields hold it: nothing of who that is can be read from it. */
export type PrincipalTag = string

/**
 * The names of all keys of one deployment. What is changed together shares a hash tag (`{…}`), and so a slot of a
 * Redis Cluster: all of one session, all of one principal's names.
 */
export class Keys {
  /** Which store this is. Its name is the same under every secret, so that a wrong secret is seen. */
  readonly store: string
  /** What this deployment's secret leaves in the store to be known by. */
  readonly check: string
  readonly #secret: Secret
  readonly #root: string

  /** @param prefix of the operator's choosing, tells deployments on one server apart; may be empty */
  constructor(secret: Secret, prefix: string) {
    const root = prefix === '' ? 'plasmid' : `plasmid:${prefix}`
    this.#secret = secret
    this.store = `${root}:M`
    this.check = hmac128(secret, lengthPrefixed(['redis', 'check', prefix]))
    this.#root = `${root}:${hmac128(secret, lengthPrefixed(['redis', 'keys', prefix])).slice(0, 12)}`
  }

  session(address: string): string {
    return `${this.#root}:S:{${tagOf(address)}}`
  }

  model(digest: string): string {
    return `${this.#root}:C:{${tagOf(digest)}}`
  }

  principal(principal: string): PrincipalTag {
    // As JSON, a principal with lone surrogates has a UTF-8 of its own.
    return hmac128(this.#secret, lengthPrefixed(['redis', 'principal', JSON.stringify(principal)]))
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
