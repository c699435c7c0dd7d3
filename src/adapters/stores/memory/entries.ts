import { lengthPrefixed } from '../../../base/canonical.ts'
import type { Clock } from '../../../base/clock.ts'
import type {
  Entry,
  EntryKind,
  EntryStore,
  NewEntry,
  Owner,
  Replacement,
} from '../../../engine/entry-store.ts'
import { sweeper } from './sweep.ts'

interface Kept {
  version: number
  body: string
  expiresAt: number
}

/** The groups of one principal, and the bytes of them all. */
interface PrincipalUsage {
  readonly principal: string
  bytes: number
  readonly groups: Set<Group>
}

/** The entries of one owner and kind, oldest first, and the last number: it is kept as long as they or the session. */
interface Group {
  readonly address: string
  last: number
  readonly usage: PrincipalUsage
  readonly byName: Map<string, Kept>
}

/** Entries in the memory of this process. Every method is synchronous, so no two interleave. */
export class MemoryEntries implements EntryStore {
  readonly #clock: Clock
  readonly #isSession: (address: string) => boolean
  readonly #otherBytes: (principal: string) => number
  readonly #groups = new Map<string, Group>()
  readonly #usages = new Map<string, PrincipalUsage>()
  readonly #sweep = sweeper(() => this.#expired())

  /** @param store what the rest of the store knows: its sessions, and the bytes that a principal has besides entries */
  constructor(
    clock: Clock,
    store: {
      readonly isSession: (address: string) => boolean
      readonly otherBytes: (principal: string) => number
    },
  ) {
    this.#clock = clock
    this.#isSession = store.isSession
    this.#otherBytes = store.otherBytes
  }

  async append({ owner, kind, body, lifeMs, most = Infinity }: NewEntry): Promise<number | null> {
    const group = this.#group(owner, kind)
    if (this.#isFull(group, most)) return null
    do group.last++
    while (this.#alive(group, String(group.last)))
    this.#put(group, String(group.last), { version: 1, body }, lifeMs)
    return group.last
  }

  async claim(entry: NewEntry & { readonly name: string }): Promise<boolean> {
    const { owner, kind, name, body, lifeMs, most = Infinity } = entry
    const group = this.#group(owner, kind)
    if (this.#alive(group, name) || this.#isFull(group, most)) return false
    this.#put(group, name, { version: 1, body }, lifeMs)
    return true
  }

  async read(owner: Owner, kind: EntryKind, name: string): Promise<Entry | null> {
    const group = this.#groups.get(keyOf(owner, kind))
    const kept = group && this.#alive(group, name)
    return kept ? toEntry(name, kept) : null
  }

  async replace({ owner, kind, name, version, body, lifeMs }: Replacement): Promise<boolean> {
    const group = this.#groups.get(keyOf(owner, kind))
    if (!group || this.#alive(group, name)?.version !== version) return false
    this.#put(group, name, { version: version + 1, body }, lifeMs)
    return true
  }

  async entries(owner: Owner, kind: EntryKind, limit: number): Promise<readonly Entry[]> {
    const now = this.#clock.now()
    const listed: Entry[] = []
    for (const [name, kept] of this.#groups.get(keyOf(owner, kind))?.byName ?? []) {
      if (listed.length >= limit) break
      if (kept.expiresAt > now) listed.push(toEntry(name, kept))
    }
    return listed
  }

  async holdsBytes(principal: string, most: number): Promise<boolean> {
    const other = this.#otherBytes(principal)
    const usage = this.#usages.get(principal)
    if (!usage || usage.bytes + other < most) return other >= most
    for (const group of usage.groups) for (const name of group.byName.keys()) this.#alive(group, name)
    return usage.bytes + other >= most
  }

  #group(owner: Owner, kind: EntryKind): Group {
    const key = keyOf(owner, kind)
    let group = this.#groups.get(key)
    if (group) return group
    const { principal } = owner
    let usage = this.#usages.get(principal)
    if (!usage) this.#usages.set(principal, (usage = { principal, bytes: 0, groups: new Set() }))
    group = { address: owner.address, last: 0, usage, byName: new Map() }
    this.#groups.set(key, group)
    usage.groups.add(group)
    return group
  }

  /** Does it hold this many? Expired entries do not count: they are removed when the limit is reached. */
  #isFull(group: Group, most: number): boolean {
    if (group.byName.size < most) return false
    for (const name of group.byName.keys()) this.#alive(group, name)
    return group.byName.size >= most
  }

  #alive(group: Group, name: string): Kept | undefined {
    const kept = group.byName.get(name)
    if (!kept || kept.expiresAt > this.#clock.now()) return kept
    group.byName.delete(name)
    group.usage.bytes -= Buffer.byteLength(kept.body)
    return undefined
  }

  #put(group: Group, name: string, { version, body }: Pick<Kept, 'version' | 'body'>, lifeMs: number): void {
    group.usage.bytes += Buffer.byteLength(body) - Buffer.byteLength(group.byName.get(name)?.body ?? '')
    group.byName.set(name, { version, body, expiresAt: this.#clock.now() + lifeMs })
    this.#sweep()
  }

  *#expired(): Generator<void> {
    for (const [key, group] of this.#groups) {
      for (const name of group.byName.keys()) {
        this.#alive(group, name)
        yield
      }
      // A session that is opened there later has another ref, so the entries of the old one are unreachable.
      if (group.byName.size === 0 && !this.#isSession(group.address)) {
        const { usage } = group
        this.#groups.delete(key)
        usage.groups.delete(group)
        if (usage.groups.size === 0) this.#usages.delete(usage.principal)
      }
      yield
    }
  }
}

function keyOf(owner: Owner, kind: EntryKind): string {
  return lengthPrefixed([owner.address, owner.principal, kind])
}

function toEntry(name: string, kept: Kept): Entry {
  return { name, version: kept.version, body: kept.body, expiresAt: kept.expiresAt }
}
