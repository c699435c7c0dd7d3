import type { Json } from '../../../base/canonical.ts'
import type { Problem } from '../../../base/diagnostic.ts'
import { indexOf } from '../../../catalog/lookup.ts'
import type { Entity } from '../../../catalog/model.ts'
import { advance, firstPage, isRepeated, pageCall, type PageState, readPageState } from '../../http/paging.ts'
import { buildCall } from '../../http/request/build.ts'
import { decodeRow } from '../../http/response/decode.ts'
import { locateRows } from '../../http/response/rows.ts'
import { entityNameOf, whereOf } from '../../invocation.ts'
import { throughout, type Missing, MORE_PAGES, stoppedBy, upTo, worst } from '../../completeness.ts'
import { problem } from '../../problems.ts'
import { continuationOf } from '../../read/continuation.ts'
import { passes } from '../../read/filter.ts'
import { hydrate } from '../../read/hydrate.ts'
import { joinFilters } from '../../read/joined.ts'
import type { Reading } from '../../reading.ts'
import type { LiveRow } from '../../row.ts'
import { nothingRead, type ReadRows } from '../../source.ts'
import type { UnaddressedCall, WireCall, WireReply } from '../../wire.ts'
import { type Exchange, sendRead } from './exchange.ts'

/** Reads pages until enough rows are there, the API is done or the budget is used up. Rows that were read are kept. */
export async function listOverHttp(exchange: Exchange, reading: Reading): Promise<ReadRows> {
  const { invocation, request, context } = exchange
  const built = buildCall(invocation, request, context.world.sessionId)
  const entity = indexOf(invocation.pinned.catalog).entities.get(invocation.capability.entity)
  if (!built.ok) return nothingRead(built.problems)
  if (!entity) return nothingRead([])
  const state = reading.place === undefined ? undefined : readPageState(reading.place)
  if (reading.place !== undefined && !state)
    return nothingRead([problem('continuation_stale', whereOf(invocation))])
  const pages = new Pages(exchange, { reading, call: built.value, entity, state })
  await pages.read()
  return pages.outcome()
}

interface Start {
  readonly reading: Reading
  readonly call: UnaddressedCall
  readonly entity: Entity
  /** Where an earlier reading stopped. */
  readonly state: PageState | undefined
}

class Pages {
  private readonly exchange: Exchange
  private readonly reading: Reading
  private readonly call: UnaddressedCall
  private readonly entity: Entity
  private readonly rows: LiveRow[] = []
  private readonly problems: Problem[] = []
  private readonly bad: string[] = []
  private decoded = 0
  private pagesRead = 0
  private missing: Missing | null = null
  private state: PageState
  private more = false
  /** A page could not be had that can be asked for again. */
  private broken = false

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
    if (this.more) this.lack(MORE_PAGES)
  }

  async outcome(): Promise<ReadRows> {
    if (this.bad.length > 0) {
      const [reason = ''] = this.bad
      const found = problem('bad_rows', { ...this.where(), bad: this.bad.length, all: this.decoded, reason })
      this.problems.push(found)
      this.lack(throughout(stoppedBy(found)))
    }
    // Rows that are all bad are none, unless the next page has better ones.
    const allBad = this.bad.length > 0 && this.bad.length === this.decoded && !this.more
    const failed = (this.pagesRead === 0 || allBad) && this.problems.length > 0
    const rows = await this.filled()
    const { limit } = this.reading
    const isFull = limit !== undefined && rows.length >= limit
    const isOpen = !failed && !isFull && (this.more || this.broken)
    return {
      rows,
      problems: this.problems,
      missing: upTo(limit, rows.length, this.missing),
      ...(isOpen && { continuation: continuationOf(this.reading, this.state) }),
      ...(failed && { failed: true }),
    }
  }

  private lack(mark: Missing | null): void {
    this.missing = worst(this.missing, mark)
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
    if (paging && isRepeated(this.state, located.rows)) {
      this.end(problem('page_repeated', this.where()))
      return false
    }
    const taken = await this.take(located.rows)
    if (!taken) return false
    return this.move(sent.call, sent.reply, located.rows)
  }

  private stop(reason: 'budget' | 'failed', found: Problem): false {
    this.broken = true
    this.lack(stoppedBy(found, reason))
    this.problems.push(found)
    return false
  }

  /** Reading ends here although the API may have more: no later page can be asked for. */
  private end(found: Problem): void {
    this.more = false
    this.lack(stoppedBy(found))
    this.problems.push(found)
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
    this.lack(MORE_PAGES)
    return false
  }

  private move(call: WireCall, reply: WireReply, rows: readonly Json[]): boolean {
    const { paging } = this.exchange.request
    this.more = false
    if (!paging) return true
    const moved = advance(paging, this.state, call, reply, rows)
    if ('next' in moved) {
      this.state = moved.next
      this.more = true
    } else if ('repeated' in moved) {
      this.end(problem('page_repeated', this.where()))
    } else if ('foreign' in moved) {
      this.end(problem('next_page_refused', { ...this.where(), origin: moved.foreign }))
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
    this.lack(throughout(joined.missing))
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
    this.lack(filled.missing)
    return filled.rows
  }
}
