import { canonicalJson } from '../base/canonical.ts'
import { lastEntityNumber, revisionHolding } from './exposure.ts'
import { logicalSessionId, promptHash, type SessionReuseKey } from './identity.ts'
import type { ExecuteRow, CatalogPick, SessionRecord, Wave } from './record.ts'

/** A valid context call. */
export interface Opening {
  readonly address: string
  readonly scope: readonly string[]
  readonly intent?: string
  /** The verified principal under delegated resolution. */
  readonly delegated: string | null
  /** By catalog in code-unit order, under today's digests; empty only for a call that just repeats. */
  readonly picks: readonly CatalogPick[]
  /** The session whose waves a new one starts with. */
  readonly parent?: SessionRecord
  /** How many numbers the parent's lost waves may have used. */
  readonly parentLost?: number
  /** The number of the last entity symbol that the caller holds: one beyond the record proves that waves were lost. */
  readonly have?: number
}

/** The values that the decision needs beside the request and the record. */
export interface Present {
  /** On the store's clock. */
  readonly now: number
  /** How many numbers the record's lost waves, or a lost record at its address, may have used. */
  readonly lost?: number
  /** A catalog model that the waves name cannot be read: the numbers of their symbols are not known any more. */
  readonly unreadable?: boolean
  readonly teachingVersion: string
  /** Today's digest of a catalog; undefined if it is gone. */
  readonly digestOf: (catalog: string) => string | undefined
  /** Does today's model of the catalog still have the entity? */
  readonly hasEntity: (catalog: string, entity: string) => boolean
  readonly rowLifeMs: number
  readonly recordLifeMs: number
  /** A unique name for a commit; called only if something is committed. */
  readonly newCommit: () => string
  /** The `session` of the execute row of that generation. */
  readonly sessionOf: (generation: number) => string
}

/** Why an execute row was replaced. */
export type StaleReason =
  'expired' | 'catalog_changed' | 'teaching_changed' | 'principal_changed' | 'store_went_back'

/** The decision on a context call. `next` is committed in place of the record that was decided on. */
export type Decision =
  | { readonly kind: 'open'; readonly next: SessionRecord }
  | { readonly kind: 'extend'; readonly next: SessionRecord }
  | { readonly kind: 'repeat'; readonly record: SessionRecord }
  | ({ readonly kind: 'recover'; readonly next: SessionRecord } & Recovery)
  /** The caller holds a symbol that was never given; `last` is the number of the last one that was. Changes nothing. */
  | { readonly kind: 'have_unknown'; readonly last: number }

/** Why a new execute row replaced the old one, and what was lost. */
export interface Recovery {
  readonly reason: StaleReason
  /** The catalogs whose digest is another one now, or that are gone. */
  readonly changedCatalogs: readonly string[]
  /** Entities that were taught and no longer exist. */
  readonly lostEntities: readonly { readonly catalog: string; readonly entity: string }[]
}

/**
 * How many numbers are skipped if a reader holds more than the record: more than any lost waves can have used. As many for
 * each entity whose model cannot be read: more than its methods and slots.
 */
const SKIP_AFTER_LOSS = 1000

/** Decides whether a call opens, extends, repeats or recovers a session. Pure: equal arguments give equal records. */
export function decide(record: SessionRecord | null, opening: Opening, present: Present): Decision {
  const waves = (record ?? opening.parent)?.waves ?? []
  if (!(present.lost || opening.parentLost) && revisionHolding(waves, opening.have ?? 0) === 'unknown')
    return { kind: 'have_unknown', last: lastEntityNumber(waves) }
  if (!record) return { kind: 'open', next: openRecord(opening, present) }
  const reason = staleReason(record, opening, present)
  if (reason) return recover(record, opening, present, reason)
  const missing = missingPicks(record.waves, opening.picks)
  if (missing.length === 0) return { kind: 'repeat', record }
  const wave: Wave = {
    revision: record.revision + 1,
    generation: record.row.generation,
    picks: missing,
    ...(present.lost && { skip: present.lost }),
  }
  return { kind: 'extend', next: append(record, wave, slide(record.row, present), present) }
}

/** Is the row live, on the store's clock? Expiry is this comparison, never an event. */
export function isLive(row: ExecuteRow, now: number): boolean {
  return now < row.expiresAt
}

/**
 * Does the later record extend the earlier one, in the same row and with all its waves? If not, the session recovered, or
 * it was closed and its intent opened anew.
 */
export function isExtendedBy(earlier: SessionRecord, later: SessionRecord): boolean {
  if (earlier.row.generation !== later.row.generation) return false
  return earlier.waves.every((wave, at) => {
    const now = later.waves[at]
    return now === wave || (now !== undefined && canonicalJson(now) === canonicalJson(wave))
  })
}

function openRecord(opening: Opening, present: Present): SessionRecord {
  const { parent } = opening
  if (parent) return forkRecord(opening, parent, present)
  const wave: Wave = {
    revision: 1,
    generation: 1,
    picks: opening.picks,
    // The lost session of this intent may have readers: no symbol that they hold gets another meaning.
    ...(present.lost && { skip: present.lost }),
  }
  return {
    schema: 1,
    address: opening.address,
    logicalSessionId: logicalSessionId(opening.address),
    scope: opening.scope,
    ...(opening.intent !== undefined && { intent: opening.intent }),
    revision: 1,
    waves: [wave],
    row: newRow(keyOf(opening, opening.picks, present), wave, present),
    createdAt: present.now,
    expiresAt: present.now + present.recordLifeMs,
    commit: present.newCommit(),
  }
}

/**
 * A new session that starts with the waves of another one: the same symbols with the same meaning. Afterwards the two are
 * independent.
 */
function forkRecord(opening: Opening, parent: SessionRecord, present: Present): SessionRecord {
  const { parent: _, parentLost = 0, ...copy } = opening
  // The fork has no readers yet.
  const own = { ...copy, have: 0 }
  const lost = Math.max(parentLost, present.lost ?? 0)
  const copied = parent.waves.map((wave) => ({ ...wave, generation: 1 }))
  const [first] = copied
  const child: SessionRecord = {
    ...openRecord({ ...own, picks: livePicks(copied) }, present),
    revision: parent.revision,
    waves: copied,
    parent: { address: parent.address, revision: parent.revision },
  }
  const forked = first
    ? { ...child, row: { ...child.row, promptHash: promptHash(canonicalJson(first)) } }
    : child
  const decision = decide(forked, own, { ...present, lost })
  if ('next' in decision) return decision.next
  if (lost === 0) return forked
  // Numbers that the parent may have used in lost waves stay unused here as well.
  const { revision, row } = forked
  const gap: Wave = {
    revision: revision + 1,
    generation: row.generation,
    picks: [],
    skip: lost,
  }
  return append(forked, gap, row, present)
}

/** The key of an open with these picks: the primary catalog is the lexicographically first. */
function keyOf(opening: Opening, picks: readonly CatalogPick[], present: Present): SessionReuseKey {
  const [primary] = picks
  return {
    tenant_scope: opening.scope,
    entry_id: primary?.catalog ?? '',
    catalog_cgs_hash: primary?.digest ?? '',
    entities: primary?.entities ?? [],
    principal: opening.delegated,
    plugin_generation_id: present.teachingVersion,
    logical_session_id: logicalSessionId(opening.address),
  }
}

function staleReason(record: SessionRecord, opening: Opening, present: Present): StaleReason | undefined {
  const { have } = opening
  // A reader that does not say what it holds may hold symbols of lost waves.
  if (have === undefined ? present.lost : revisionHolding(record.waves, have) === 'unknown')
    return 'store_went_back'
  if (!isLive(record.row, present.now)) return 'expired'
  const { key } = record.row
  if (present.teachingVersion !== key.plugin_generation_id) return 'teaching_changed'
  if (opening.delegated !== key.principal) return 'principal_changed'
  return present.unreadable ||
    changedCatalogs(record.waves, present).length > 0 ||
    !sameKey(keyToday(record, opening, present), key)
    ? 'catalog_changed'
    : undefined
}

/** The key that the record's row would have, were it opened now. */
function keyToday({ row, address }: SessionRecord, opening: Opening, present: Present): SessionReuseKey {
  return {
    ...row.key,
    tenant_scope: opening.scope,
    catalog_cgs_hash: present.digestOf(row.key.entry_id) ?? '',
    principal: opening.delegated,
    plugin_generation_id: present.teachingVersion,
    logical_session_id:
      address === opening.address ? row.key.logical_session_id : logicalSessionId(opening.address),
  }
}

/** Are the keys equal in all seven fields? */
export function sameKey(a: SessionReuseKey, b: SessionReuseKey): boolean {
  return (
    a.entry_id === b.entry_id &&
    a.catalog_cgs_hash === b.catalog_cgs_hash &&
    a.principal === b.principal &&
    a.plugin_generation_id === b.plugin_generation_id &&
    a.logical_session_id === b.logical_session_id &&
    sameTexts(a.tenant_scope, b.tenant_scope) &&
    sameTexts(a.entities, b.entities)
  )
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index])
}

/** The digest under which each catalog of these waves is pinned last. */
export function pinnedDigests(waves: readonly Wave[]): ReadonlyMap<string, string> {
  const pinned = new Map<string, string>()
  for (const wave of waves) for (const pick of wave.picks) pinned.set(pick.catalog, pick.digest)
  return pinned
}

function changedCatalogs(waves: readonly Wave[], present: Present): string[] {
  return [...pinnedDigests(waves)]
    .filter(([catalog, digest]) => digest !== (present.digestOf(catalog) ?? ''))
    .map(([catalog]) => catalog)
    .toSorted()
}

/** The part of these picks that no wave has taught under the same digest. */
function missingPicks(waves: readonly Wave[], picks: readonly CatalogPick[]): CatalogPick[] {
  return picks.flatMap((pick) => {
    const entities = pick.entities.filter((entity) => !isTaught(waves, pick, entity))
    return entities.length === 0 ? [] : [{ ...pick, entities }]
  })
}

function isTaught(waves: readonly Wave[], { catalog, digest }: CatalogPick, entity: string): boolean {
  return waves.some((wave) =>
    wave.picks.some(
      (pick) => pick.catalog === catalog && pick.digest === digest && pick.entities.includes(entity),
    ),
  )
}

/**
 * A new row in the same record. Entities under unchanged digests keep their symbols; those under changed digests get new
 * symbols if they still exist; then come the call's own picks. If a model cannot be read, all get new symbols.
 */
function recover(record: SessionRecord, opening: Opening, present: Present, reason: StaleReason): Decision {
  const changed = changedCatalogs(record.waves, present)
  const waves = present.unreadable ? record.waves.map((wave) => ({ ...wave, picks: [] })) : record.waves
  const lost: { catalog: string; entity: string }[] = []
  const stale = present.unreadable ? [...pinnedDigests(record.waves).keys()] : changed
  const again = stale.map((catalog): CatalogPick => {
    const pick: CatalogPick = { catalog, digest: present.digestOf(catalog) ?? '', lens: 'all', entities: [] }
    const taught = entitiesOf(record.waves, catalog)
    for (const entity of taught) if (!present.hasEntity(catalog, entity)) lost.push({ catalog, entity })
    // If an earlier digest is current again, its old symbols are live again.
    const entities = taught.filter(
      (entity) => present.hasEntity(catalog, entity) && !isTaught(waves, pick, entity),
    )
    return { ...pick, entities }
  })
  const generation = record.row.generation + 1
  const skip = skippedBy(record.waves, present)
  const wave: Wave = {
    revision: record.revision + 1,
    generation,
    picks: mergePicks(again, missingPicks(waves, opening.picks)),
    ...(skip > 0 && { skip }),
  }
  const picks = opening.picks.length > 0 ? opening.picks : livePicks([...waves, wave])
  const row = newRow(keyOf(opening, picks, present), wave, present)
  const next = append({ ...record, waves }, wave, row, present)
  return { kind: 'recover', next, reason, changedCatalogs: changed, lostEntities: lost }
}

/** How many numbers a recovery skips, so that no symbol which a reader may hold gets another meaning. */
function skippedBy(waves: readonly Wave[], { lost, unreadable }: Present): number {
  const entities = waves.flatMap(({ picks }) => picks.flatMap((pick) => pick.entities)).length
  return Math.max(lost ? SKIP_AFTER_LOSS : 0, lost ?? 0, unreadable ? SKIP_AFTER_LOSS * entities : 0)
}

/** The entities of a catalog that are live after these waves, in code-unit order. */
function entitiesOf(waves: readonly Wave[], catalog: string): string[] {
  return (
    livePicks(waves)
      .find((pick) => pick.catalog === catalog)
      ?.entities.toSorted() ?? []
  )
}

/** What is live after these waves: by catalog in code-unit order. */
export function livePicks(waves: readonly Wave[]): CatalogPick[] {
  const pinned = pinnedDigests(waves)
  const held = waves.flatMap((wave) => wave.picks).filter((pick) => pinned.get(pick.catalog) === pick.digest)
  return mergePicks([], held).filter((pick) => pick.entities.length > 0)
}

/** All picks, one a catalog, catalogs and entities in code-unit order. */
function mergePicks(first: readonly CatalogPick[], second: readonly CatalogPick[]): CatalogPick[] {
  const merged = new Map<string, CatalogPick>()
  for (const pick of [...first, ...second]) {
    const before = merged.get(pick.catalog)
    const entities = [...new Set([...(before?.entities ?? []), ...pick.entities])].toSorted()
    merged.set(pick.catalog, { ...pick, entities })
  }
  return [...merged.values()].toSorted((a, b) => (a.catalog < b.catalog ? -1 : 1))
}

function newRow(key: SessionReuseKey, wave: Wave, present: Present): ExecuteRow {
  return {
    generation: wave.generation,
    key,
    promptHash: promptHash(canonicalJson(wave)),
    session: present.sessionOf(wave.generation),
    openedAt: present.now,
    expiresAt: present.now + present.rowLifeMs,
  }
}

function slide(row: ExecuteRow, present: Present): ExecuteRow {
  return { ...row, expiresAt: Math.max(row.expiresAt, present.now + present.rowLifeMs) }
}

function append(record: SessionRecord, wave: Wave, row: ExecuteRow, present: Present): SessionRecord {
  return {
    ...record,
    revision: wave.revision,
    waves: [...record.waves, wave],
    row,
    expiresAt: Math.max(record.expiresAt, present.now + present.recordLifeMs),
    commit: present.newCommit(),
  }
}
