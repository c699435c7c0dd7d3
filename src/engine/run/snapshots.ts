import type { Json } from '../../base/canonical.ts'
import { failed, type Result } from '../../base/diagnostic.ts'
import { Pace } from '../../base/slices/pace.ts'
import type { PartialReason } from '../../execution/completeness.ts'
import type { KeptPlace, KeptRows, RootResult, Row } from '../../execution/outcome.ts'
import type { EntityName } from '../../language/plan/plan.ts'
import type { EngineCall } from '../call.ts'
import type { Parts } from '../parts.ts'
import { engineProblem } from '../problems.ts'
import { belongsTo, keep } from '../session/entries.ts'
import { fromKept, toKept } from '../session/kept.ts'
import type { LiveSession } from '../session/live-session.ts'
import { type InPieces, keepPieces, piecesOf, readPieces } from '../session/pieces.ts'
import { mayUseAll, type Uses, type UsesList } from '../session/uses.ts'

/** A snapshot: the rows of every root, and the capabilities that they were read with. */
export interface Snapshot {
  readonly ref?: string
  readonly uses: UsesList
  readonly results: readonly Json[]
  /** Of each root what programs need of its rows. Absent in snapshots of older versions. */
  readonly roots?: readonly KeptRoot[]
}

/** A snapshot as it is kept: the roots of a large one are kept apart. */
type KeptSnapshot = Snapshot & { readonly pieces?: InPieces }

interface KeptRoot {
  readonly entity?: EntityName
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  readonly partial?: PartialReason
}

/** What a run computed, and with which capabilities. */
interface Computed {
  readonly results: readonly RootResult[]
  readonly uses: Uses
  readonly pace: Pace
}

/** Keeps every row of every root; gives the snapshot's number. */
export async function keepSnapshot(
  parts: Parts,
  session: LiveSession,
  { results: computed, uses, pace }: Computed,
): Promise<Result<number>> {
  const results = computed.map(({ label, entity, columns }) => ({
    label,
    ...(entity && { api: entity.catalog, entity: entity.entity }),
    columns,
  }))
  const roots = computed.map(({ entity, columns, rows, partial }): KeptRoot => ({
    ...(entity && { entity }),
    columns,
    rows,
    ...(partial && partial !== 'more_pages' && { partial }),
  }))
  const { snapshotBytes, snapshotLifeMs: lifeMs, snapshotsPerSession: most } = parts.limits
  const pieces = await piecesOf(roots, snapshotBytes, pace)
  if (!pieces) return failed([engineProblem('snapshot_too_big', { most: snapshotBytes })])
  const own = { ref: session.ref, uses: uses.list(), results }
  const apart = pieces.length > 1 ? { id: parts.newId(), count: pieces.length } : undefined
  const snapshot: KeptSnapshot = apart ? { ...own, pieces: apart } : { ...own, roots }
  const full = () => engineProblem('snapshots_full', { most })
  const kept = await keep(parts, session, { kind: 'snapshot', body: toKept(snapshot), lifeMs, most, full })
  if (kept.ok && apart) await keepPieces(parts, session.owner, apart.id, { pieces, lifeMs })
  return kept
}

/** A snapshot of this session; undefined where there is none, or the caller may no longer use what it was read with. */
export async function readSnapshot(
  call: EngineCall,
  session: LiveSession,
  number: string,
): Promise<Snapshot | undefined> {
  const entry = await call.store.read(session.owner, 'snapshot', number)
  if (!entry) return undefined
  const { pieces, ...snapshot } = fromKept<KeptSnapshot>(entry)
  if (!belongsTo(session, snapshot) || !mayUseAll(call.caller, snapshot.uses)) return undefined
  if (!pieces) return snapshot
  const pace = new Pace(call.clock, call.pause)
  const roots = await readPieces<readonly KeptRoot[]>(call, session.owner, pieces, pace)
  return roots ? { ...snapshot, roots } : undefined
}

/** The results as their readers get them: values by column. */
export function shownResults({ results, roots }: Snapshot): readonly Json[] {
  if (!roots) return results
  return results.map((result, at) => ({
    ...Object(result),
    rows: roots[at]?.rows.map(({ values }) => values) ?? [],
  }))
}

/** The rows of a root from a place on. */
export function keptRows({ roots }: Snapshot, place: KeptPlace): KeptRows | undefined {
  const root = roots?.[place.root]
  return root && { place, ...root, rows: root.rows.slice(place.from) }
}
