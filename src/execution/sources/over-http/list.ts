import type { Json } from '../../../base/canonical.ts'
import type { Problem } from '../../../base/diagnostic.ts'
import { indexOf } from '../../../catalog/lookup.ts'
import type { Entity } from '../../../catalog/model.ts'
import {
  advance,
  firstPage,
  pageCall,
  pageMark,
  type PageState,
  readPageState,
  samePage,
} from '../../http/paging.ts'
import { buildCall } from '../../http/request/build.ts'
import { decodeRow } from '../../http/response/decode.ts'
import { locateRows } from '../../http/response/rows.ts'
import { entityNameOf, whereOf } from '../../invocation.ts'
import { type PartialReason, worse } from '../../outcome.ts'
import { problem } from '../../problems.ts'
import { continuationOf } from '../../read/continuation.ts'
import { passes } from '../../read/filter.ts'
import { hydrate } from '../../read/hydrate.ts'
import { joinFilters } from '../../read/joined.ts'
import type { Reading } from '../../read/reading.ts'
import type { LiveRow } from '../../row.ts'
import type { ReadRows } from '../../source.ts'
import type { WireCall, WireReply } from '../../wire.ts'
import { type Exchange, sendRead } from './exchange.ts'

/** Reads pages until enough rows are there, the API is done or the budget is used up. Rows that were read are kept. */
export async function listOverHttp(exchange: Exchange, reading: Reading): Promise<ReadRows> {
  const { invocation, request, context } = exchange
  const built = buildCall(invocation, request, context.world.sessionId)
  const entity = indexOf(invocation.pinned.catalog).entities.get(invocation.capability.entity)
  if (!built.ok) return { rows: [], problems: built.problems, failed: true }
  if (!entity) return { rows: [], problems: [], failed: true }
  const state = reading.place === undefined ? undefined : readPageState(reading.place)
  if (reading.place !== undefined && !state)
    return { rows: [], problems: [problem('continuation_stale', whereOf(invocation))], failed: true }
  const pages = new Pages(exchange, { reading, call: built.value, entity, state })
  await pages.read()
  return pages.outcome()
}

interface Start {
  readonly reading: Reading
  readonly call: WireCall
  readonly entity: Entity
  /** Where an earlier reading stopped. */
  readonly state: PageState | undefined
}

class Pages {
  private readonly exchange: Exchange
  private readonly reading: Reading
  private readonly call: WireCall
  private readonly entity: Entity
  private readonly rows: LiveRow[] = []
  private readonly problems: Problem[] = []
  private readonly bad: string[] = []
  private decoded = 0
  private pagesRead = 0
  private partial: PartialReason | undefined
  private state: PageState
  private more = false
  /** The rows of the page before this one, where this reading has read it. */
  private last: readonly Json[] | undefined

  constructor(exchange: Exchange, { reading, call, entity, state }: Start) {
    this.exchange = exchange
    this.reading = reading
    this.call = call
    this.entity = entity
    this.state = state ?? firstPage(exchange.request.paging, reading.invocation.arguments, this.pageSize())
  }

  async read(): Promise<void> {
    const { limit, pageSize, wanted } = this.reading
    const enough = Math.min(limit ?? Infinity, pageSize ?? Infinity, wanted)
    do {
      if (!(await this.readPage())) return
      if (limit !== undefined && this.rows.length >= limit) return
    } while (this.more && this.rows.length < enough)
    if (this.more) this.partial ??= 'more_pages'
  }

  async outcome(): Promise<ReadRows> {
    if (this.bad.length > 0) {
      const [reason = ''] = this.bad
      this.problems.push(
        problem('bad_rows', { ...this.where(), bad: this.bad.length, all: this.decoded, reason }),
      )
    }
    // Rows that are all bad are none, unless the next page has better ones.
    const allBad = this.bad.length > 0 && this.bad.length === this.decoded && !this.more
    const failed = (this.pagesRead === 0 || allBad) && this.problems.length > 0
    const rows = await this.filled()
    const isOpen = this.partial !== undefined && !failed && (this.more || this.partial !== 'more_pages')
    return {
      rows,
      problems: this.problems,
      ...(this.partial !== undefined && { partial: this.partial }),
      ...(isOpen && { continuation: continuationOf(this.reading, this.place()) }),
      ...(failed && { failed: true }),
    }
  }

  /** Where another reading goes on: what this one has seen, it knows by its mark. */
  private place(): PageState {
    return this.last ? { ...this.state, last: pageMark(this.last) } : this.state
  }

  private isRepeated(rows: readonly Json[]): boolean {
    if (rows.length === 0) return false
    if (this.last) return samePage(rows, this.last)
    return this.state.last !== undefined && this.state.last === pageMark(rows)
  }

  private where() {
    return whereOf(this.reading.invocation)
  }

  /**
   * What to ask of one page. A limit is pushed down where no filter of ours thins the rows, but not below ten: some APIs
   * refuse smaller pages.
   */
  private pageSize(): number | undefined {
    const { limit, pageSize, filters } = this.reading
    if (pageSize !== undefined) return pageSize
    return limit === undefined || filters.length > 0 ? undefined : Math.max(10, limit)
  }

  /** Reads one page; false where reading ends with it. */
  private async readPage(): Promise<boolean> {
    const { paging, response } = this.exchange.request
    const call = paging ? pageCall(this.call, paging, this.state) : this.call
    const sent = await sendRead(this.exchange, call)
    if (!sent.ok) return this.stop(sent.why === 'budget' ? 'budget' : 'failed', sent.problem)
    const located = locateRows(sent.reply.body, response, 'many', this.reading.invocation.arguments)
    if (!located.ok)
      return this.stop(
        'failed',
        problem('unexpected_answer', { ...this.where(), path: located.path, found: located.found }),
      )
    this.pagesRead++
    const taken = await this.take(located.rows)
    if (!taken) return false
    return this.move(call, sent.reply, located.rows)
  }

  private stop(partial: PartialReason, found: Problem): false {
    this.partial = partial
    this.problems.push(found)
    return false
  }

  /** Decodes a page's rows and keeps those that pass; false where a limit cuts the page. */
  private async take(elements: readonly Json[]): Promise<boolean> {
    const { limit, pageSize, filters, invocation } = this.reading
    const room = Math.min(limit ?? Infinity, pageSize ?? Infinity)
    const allowed = this.exchange.context.meter.rowsLeft()
    const { skip } = this.state
    const live: { readonly row: LiveRow; readonly at: number }[] = []
    const slice = elements.slice(skip, skip + allowed)
    for (const [offset, raw] of slice.entries()) {
      const decoded = decodeRow(raw, {
        catalog: invocation.pinned.catalog,
        entity: this.entity,
        ambient: invocation.arguments,
      })
      if ('row' in decoded) live.push({ row: decoded.row, at: skip + offset })
      else this.bad.push(decoded.bad)
    }
    this.decoded += slice.length
    this.exchange.context.meter.rows(slice.length)
    const whole = await this.withFilterFields(live.map(({ row }) => row))
    for (const [index, { at }] of live.entries()) {
      const row = whole[index]
      if (!row || !passes(row, filters)) continue
      if (this.rows.length >= room) return this.cut(at)
      this.rows.push(row)
    }
    if (skip + slice.length >= elements.length) return true
    this.state = { ...this.state, skip: skip + slice.length }
    const found = this.exchange.context.meter.over(
      `\`${invocation.pinned.catalog.id}\` ${invocation.capability.name}`,
    )
    return found ? this.stop('budget', found) : false
  }

  /** The page holds more rows than may be handed out: the next read begins with them. */
  private cut(at: number): false {
    this.state = { ...this.state, skip: at }
    this.more = true
    if (this.reading.limit === undefined || this.rows.length < this.reading.limit) this.partial = 'more_pages'
    return false
  }

  private move(call: WireCall, reply: WireReply, rows: readonly Json[]): boolean {
    const { paging } = this.exchange.request
    this.more = false
    if (!paging) return true
    if (this.isRepeated(rows)) {
      this.problems.push(problem('page_repeated', this.where()))
      return true
    }
    const moved = advance(this.reading.invocation.pinned.catalog, paging, this.state, call, reply, rows)
    if ('next' in moved) {
      this.state = moved.next
      this.last = rows
      this.more = true
    } else if ('repeated' in moved) {
      this.problems.push(problem('page_repeated', this.where()))
    } else if ('foreign' in moved) {
      this.partial = 'failed'
      this.problems.push(problem('next_page_refused', { ...this.where(), origin: moved.foreign }))
    }
    return true
  }

  private async withFilterFields(rows: readonly LiveRow[]): Promise<readonly LiveRow[]> {
    const fields = this.reading.filters.flatMap(({ path }) => path.slice(0, 1))
    if (fields.length === 0) return rows
    const { filters, invocation } = this.reading
    const entity = entityNameOf(invocation)
    const whole = await this.hydrated(rows, fields)
    const joined = await joinFilters(this.exchange.context, entity, whole, filters, (found) =>
      this.problems.push(found),
    )
    this.partial = worse(joined.partial, this.partial)
    return joined.rows
  }

  private async filled(): Promise<readonly LiveRow[]> {
    return this.reading.needs === undefined ? this.rows : this.hydrated(this.rows, this.reading.needs)
  }

  private async hydrated(rows: readonly LiveRow[], fields: readonly string[]): Promise<readonly LiveRow[]> {
    const { pinned, capability } = this.reading.invocation
    const filled = await hydrate(this.exchange.context, {
      pinned,
      entity: this.entity,
      rows,
      fields,
      ...(capability.provides && { provided: capability.provides }),
    })
    this.problems.push(...filled.problems)
    return filled.rows
  }
}
