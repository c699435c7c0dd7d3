import type { Json } from '../../base/canonical.ts'
import type { Problem } from '../../base/diagnostic.ts'
import type { Entity } from '../../catalog/model.ts'
import { decodeRow } from '../http/response/decode.ts'
import { type Members, withMembers } from '../http/response/rows.ts'
import { entityNameOf, whereOf } from '../invocation.ts'
import {
  throughout,
  type Missing,
  MORE_PAGES,
  PERHAPS_MORE,
  type Stop,
  stoppedBy,
  upTo,
  worst,
} from '../completeness.ts'
import { problem } from '../problems.ts'
import { continuationOf } from '../read/continuation.ts'
import { passes } from '../read/filter.ts'
import { hydrate } from '../read/hydrate.ts'
import { joinFilters } from '../read/joined.ts'
import type { Reading } from '../reading.ts'
import type { LiveRow } from '../row.ts'
import type { CallContext, ReadRows } from '../source.ts'

/** A place between two pages: plain data that holds no credential. */
interface Place {
  /** Rows of this page that were handed out already. */
  readonly skip: number
}

/** One page, as its source read it. */
export type Page<State extends Place> =
  | {
      readonly rows: readonly Json[]
      /** What each of these rows holds as well. */
      readonly beside?: Members
      /** Where the next page begins; absent: there is none, or none that can be asked for. */
      readonly next?: State
      /** Why the next page cannot be asked for, if the API has one. */
      readonly ended?: Problem
      /** It is not known whether there is a next page. */
      readonly isGuessedEnd?: true
      /** Why a part of the rows' data is missing. */
      readonly partial?: Problem
    }
  | { readonly stopped: Problem; readonly why: Stop }

/** A page that was not had. */
export function stoppedPage({ problem: stopped, why }: { readonly problem: Problem; readonly why: Stop }) {
  return { stopped, why }
}

/** A list read of one source. */
export interface PagedRead<State extends Place> {
  readonly reading: Reading
  readonly context: CallContext
  readonly entity: Entity
  readonly start: State
  readonly page: (state: State) => Promise<Page<State>>
}

/** Reads pages until enough rows are there, the source is done or the budget is used up. Rows that were read are kept. */
export async function readPages<State extends Place>(read: PagedRead<State>): Promise<ReadRows> {
  const pages = new Pages(read)
  await pages.read()
  return pages.outcome()
}

class Pages<State extends Place> {
  readonly #reading: Reading
  readonly #context: CallContext
  readonly #entity: Entity
  readonly #page: PagedRead<State>['page']
  readonly #rows: LiveRow[] = []
  readonly #problems: Problem[] = []
  readonly #bad: string[] = []
  #decoded = 0
  #pagesRead = 0
  #missing: Missing | null = null
  #state: State
  #more = false
  /** A page could not be had that can be asked for again. */
  #broken = false
  #why: Stop = 'failed'

  constructor({ reading, context, entity, start, page }: PagedRead<State>) {
    this.#reading = reading
    this.#context = context
    this.#entity = entity
    this.#page = page
    this.#state = start
  }

  async read(): Promise<void> {
    const { limit, pageSize, wanted, filters } = this.#reading
    let enough = Math.min(limit ?? Infinity, pageSize ?? Infinity, wanted)
    do {
      if (!(await this.#readPage())) return
      if (limit !== undefined && this.#rows.length >= limit) return
      // Conditions that are evaluated here thin pages out: as many hits are found as the first page has rows.
      if (wanted === 0 && filters.length > 0 && this.#pagesRead === 1) enough = this.#decoded
    } while (this.#more && this.#rows.length < enough)
    if (this.#more) this.#lack(MORE_PAGES)
  }

  async outcome(): Promise<ReadRows> {
    if (this.#bad.length > 0) {
      const [reason = ''] = this.#bad
      const where = whereOf(this.#reading.invocation)
      const found = problem('bad_rows', { ...where, bad: this.#bad.length, all: this.#decoded, reason })
      this.#problems.push(found)
      this.#lack(throughout(stoppedBy(found)))
    }
    // Rows that are all bad are none, unless the next page has better ones.
    const allBad = this.#bad.length > 0 && this.#bad.length === this.#decoded && !this.#more
    const failed = (this.#pagesRead === 0 || allBad) && this.#problems.length > 0
    const { needs = [], later = [], limit } = this.#reading
    const now = needs.filter((field) => !later.includes(field))
    const rows = await this.#hydrated(this.#rows, now)
    const isFull = limit !== undefined && rows.length >= limit
    const isOpen = !failed && !isFull && (this.#more || this.#broken)
    return {
      rows,
      problems: this.#problems,
      missing: this.#searched(upTo(limit, rows.length, this.#missing)),
      ...(isOpen && { continuation: continuationOf(this.#reading, this.#state) }),
      ...(failed && { failed: this.#why }),
    }
  }

  #searched(mark: Missing | null): Missing | null {
    return mark && this.#reading.filters.length > 0 ? { ...mark, searched: this.#decoded } : mark
  }

  #lack(mark: Missing | null): void {
    this.#missing = worst(this.#missing, mark)
  }

  /** Reads one page; false where reading ends with it. */
  async #readPage(): Promise<boolean> {
    const page = await this.#page(this.#state)
    if ('stopped' in page) return this.#stop(page.why, page.stopped)
    this.#pagesRead++
    if (page.partial) {
      this.#lack(throughout(stoppedBy(page.partial)))
      this.#problems.push(page.partial)
    }
    if (!(await this.#take(page.rows, page.beside))) return false
    this.#more = page.next !== undefined
    if (page.next) this.#state = page.next
    if (page.isGuessedEnd) this.#lack(PERHAPS_MORE)
    if (!page.ended) return true
    this.#lack(stoppedBy(page.ended))
    this.#problems.push(page.ended)
    return this.#more
  }

  #stop(why: Stop, found: Problem): false {
    this.#broken = true
    this.#why = why
    this.#lack(stoppedBy(found, why))
    this.#problems.push(found)
    return false
  }

  /** Decodes a page's rows and keeps those that pass; false where a limit cuts the page. */
  async #take(elements: readonly Json[], beside: Members = []): Promise<boolean> {
    const { limit, pageSize, filters, invocation } = this.#reading
    const { meter, world } = this.#context
    const room = Math.min(limit ?? Infinity, pageSize ?? Infinity)
    const { skip } = this.#state
    const live: { readonly row: LiveRow; readonly at: number }[] = []
    const slice = elements.slice(skip, skip + meter.rowsLeft())
    for (const [offset, raw] of slice.entries()) {
      if (world.pace.isDue) await world.pace.rest()
      const decoded = decodeRow(withMembers(raw, beside), {
        catalog: invocation.pinned.catalog,
        entity: this.#entity,
        ambient: invocation.arguments,
      })
      if ('row' in decoded) live.push({ row: decoded.row, at: skip + offset })
      else this.#bad.push(decoded.bad)
    }
    this.#decoded += slice.length
    meter.rows(slice.length)
    const whole = await this.#withFilterFields(live.map(({ row }) => row))
    for (const [index, { at }] of live.entries()) {
      if (world.pace.isDue) await world.pace.rest()
      const row = whole[index]
      // Most lists have no condition that is evaluated here: their rows wait for nothing.
      const isKept = filters.length === 0 || (row && (await world.pace.made(passes(row, filters))))
      if (!row || !isKept) continue
      if (this.#rows.length >= room) return this.#cut(at)
      this.#rows.push(row)
    }
    if (skip + slice.length >= elements.length) return true
    this.#state = { ...this.#state, skip: skip + slice.length }
    const found = meter.over(`\`${invocation.pinned.catalog.id}\` ${invocation.capability.name}`)
    return found ? this.#stop('budget', found) : false
  }

  /** The page holds more rows than may be handed out: the next read begins with them. */
  #cut(at: number): false {
    this.#state = { ...this.#state, skip: at }
    this.#more = true
    this.#lack(MORE_PAGES)
    return false
  }

  async #withFilterFields(rows: readonly LiveRow[]): Promise<readonly LiveRow[]> {
    const { filters, invocation } = this.#reading
    const fields = filters.flatMap(({ path }) => path.slice(0, 1))
    if (fields.length === 0) return rows
    const whole = await this.#hydrated(rows, fields)
    const joined = await joinFilters(
      this.#context,
      { entity: entityNameOf(invocation), rows: whole, filters },
      (found) => this.#problems.push(found),
    )
    this.#lack(throughout(joined.missing))
    return joined.rows
  }

  async #hydrated(rows: readonly LiveRow[], fields: readonly string[]): Promise<readonly LiveRow[]> {
    const { pinned, capability } = this.#reading.invocation
    const filled = await hydrate(this.#context, {
      pinned,
      entity: this.#entity,
      rows,
      fields,
      ...(capability.provides && { provided: capability.provides }),
    })
    this.#problems.push(...filled.problems)
    this.#lack(filled.missing)
    return filled.rows
  }
}
