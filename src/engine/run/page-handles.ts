import { ownValue } from '../../base/json.ts'
import { canonicalJson, type Json } from '../../base/canonical.ts'
import { ok, type Result } from '../../base/diagnostic.ts'
import { sha256 } from '../../base/hash.ts'
import type { Continuation, KeptPlace, KeptRows, RootResult } from '../../execution/outcome.ts'
import { columnsOf } from '../../execution/steps/page.ts'
import type { Entry } from '../entry-store.ts'
import type { KeptPage } from '../../language/check/model/scope.ts'
import type { Operation, Plan } from '../../language/plan/plan.ts'
import { fromKept, toKept } from '../session/kept.ts'
import type { EngineCall } from '../call.ts'
import type { UsesList } from '../session/uses.ts'
import { keptRows, readSnapshot } from './snapshots.ts'
import { engineProblem } from '../problems.ts'
import { belongsTo, keep, whyClosed } from '../session/entries.ts'
import type { LiveSession } from '../session/live-session.ts'

/** How often a handle is written again when others write theirs concurrently. */
const ATTEMPTS = 10

/** A page that can be asked for. */
interface Page {
  readonly ref?: string
  readonly label: string
  /** A read to continue; or rows of a snapshot, and what comes behind them. */
  readonly continuation?: Continuation
  readonly kept?: KeptPlace
  /** The numbers of the pages that come after it, by how it was asked for. */
  readonly after?: Readonly<Record<string, number>>
}

/** What is behind a handle, and what it was read with. */
export interface Behind {
  readonly page: Continuation | KeptRows
  readonly uses: UsesList
}

/** A page that a root of a plan shows, and how: the same page asked for in the same way is followed by the same one. */
interface Shown {
  readonly handle: string
  readonly way: string
}

/** The page handles of one run: those that it names, and those that its answer gives. */
export class PageHandles {
  readonly #parts: EngineCall
  readonly #session: LiveSession

  constructor(call: EngineCall, session: LiveSession) {
    this.#parts = call
    this.#session = session
  }

  /** What is behind `s0_pg1` or `pg1`; null for a handle of another session, and for rows that the caller may no longer read. */
  async read(handle: string): Promise<Behind | null> {
    const behind = await this.#behind(handle)
    const digest = behind?.page.entity?.digest
    // The store lost the catalog that they were read with.
    return digest === undefined || this.#session.derived.holds(digest) ? behind : null
  }

  async #behind(handle: string): Promise<Behind | null> {
    const page = (await this.#find(handle))?.page
    if (!page) return null
    const { kept, continuation } = page
    if (kept) return this.#rowsAt(kept, continuation)
    return continuation
      ? { page: continuation, uses: [[continuation.entity.catalog, continuation.capability]] }
      : null
  }

  async #rowsAt(place: KeptPlace, continuation: Continuation | undefined): Promise<Behind | null> {
    const snapshot = await readSnapshot(this.#parts, this.#session, place.snapshot)
    const rows = snapshot && keptRows(snapshot, place)
    return rows ? { page: { ...rows, ...(continuation && { continuation }) }, uses: snapshot.uses } : null
  }

  /** What is kept of pages, by full handle, as the check of a program takes it; a handle that leads nowhere is left out. */
  async kept(
    handles: readonly string[],
  ): Promise<ReadonlyMap<string, KeptPage & { readonly catalogs: readonly string[] }>> {
    const pages = new Map<string, KeptPage & { readonly catalogs: readonly string[] }>()
    for (const handle of new Set(handles)) {
      const behind = await this.read(handle)
      if (!behind) continue
      const { page, uses } = behind
      const full = handle.startsWith('pg') ? `${this.#session.ref}_${handle}` : handle
      const columns = 'place' in page ? page.columns.map((name) => ({ name, path: [name] })) : columnsOf(page)
      const catalogs = [...new Set(uses.map(([catalog]) => catalog))]
      pages.set(full, { ...(page.entity && { entity: page.entity }), ...(columns && { columns }), catalogs })
    }
    return pages
  }

  /**
   * The handle of the next page of a root: kept now, unless the page that the root shows has one already.
   *
   * @param rest where the rows are kept that the answer does not show: they come first
   */
  async next(
    root: RootResult,
    rest: KeptPlace | undefined,
    plan: Plan,
    node: string,
  ): Promise<Result<string>> {
    const page = root.partial === 'more_pages' || root.kept ? shownBy(plan, node) : undefined
    const shown = page && rest ? { ...page, way: `${page.way} rest` } : page
    const known = shown && (await this.#noted(shown))
    const closed = known === undefined ? undefined : await whyClosed(this.#parts, this.#session)
    if (closed) return closed
    const number = known === undefined ? await this.#keep(root, rest) : ok(known)
    if (!number.ok) return number
    const settled = shown && known === undefined ? await this.#note(shown, number.value) : number.value
    return ok(`${this.#session.ref}_pg${settled}`)
  }

  async #keep({ label, continuation }: RootResult, kept: KeptPlace | undefined): Promise<Result<number>> {
    const body = toKept({ ref: this.#session.ref, label, continuation, kept })
    const { pageLifeMs: lifeMs, pagesPerSession: most } = this.#parts.limits
    const full = () => engineProblem('pages_full', { most, label })
    return keep(this.#parts, this.#session, { kind: 'page', body, lifeMs, most, full })
  }

  async #noted({ handle, way }: Shown): Promise<number | undefined> {
    const { after = {} } = (await this.#find(handle))?.page ?? {}
    return ownValue(after, way)
  }

  /** Notes which page comes next; gives the number that others noted first. */
  async #note({ handle, way }: Shown, number: number): Promise<number> {
    const { store } = this.#parts
    const { owner, now } = this.#session
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const found = await this.#find(handle)
      if (!found) return number
      const { entry, page } = found
      const noted = page.after && ownValue(page.after, way)
      if (noted !== undefined) return noted
      const body = toKept({ ...page, after: { ...page.after, [way]: number } })
      if (
        await store.replace({
          owner,
          kind: 'page',
          name: entry.name,
          version: entry.version,
          body,
          lifeMs: entry.expiresAt - now,
        })
      )
        break
    }
    return number
  }

  async #find(handle: string): Promise<{ readonly entry: Entry; readonly page: Page } | null> {
    const match = /^(?:(s\d+)_)?pg([1-9]\d{0,14})$/.exec(handle)
    if (!match?.[2] || (match[1] !== undefined && match[1] !== this.#session.ref)) return null
    const entry = await this.#parts.store.read(this.#session.owner, 'page', match[2])
    const page = entry && fromKept<Page>(entry)
    return entry && page && belongsTo(this.#session, page) ? { entry, page } : null
  }
}

/** The page that a node shows as it is, or some columns of it. */
function shownBy({ nodes }: Plan, root: string): Shown | undefined {
  const way: Json[] = []
  for (let id: string | undefined = root; id !== undefined;) {
    const operation: Operation | undefined = nodes.find((node) => node.id === id)?.operation
    if (operation?.kind === 'page') {
      way.push(operation.limit ?? null)
      return { handle: operation.handle, way: sha256(canonicalJson(way)).slice(0, 16) }
    }
    if (operation?.kind !== 'project') return undefined
    way.push(operation.columns.map(({ name, path }) => [name, [...path]]))
    id = operation.source
  }
  return undefined
}
