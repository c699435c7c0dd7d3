import type { Json } from '../../base/canonical.ts'
import type { Problem } from '../../base/diagnostic.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { Entity } from '../../catalog/model.ts'
import type { EntityName } from '../../language/plan/plan.ts'
import { continuationOf } from './continuation.ts'
import { passes } from './filter.ts'
import { hydrate } from './hydrate.ts'
import type { Invocation } from '../invocation.ts'
import { joinFilters } from './joined.ts'
import { type Continuation, type Partial, worse } from '../outcome.ts'
import type { Reading } from './reading.ts'
import { advance, firstPage, pageCall, pageMark, type PageState, samePage } from '../http/paging.ts'
import { problem } from '../problems.ts'
import { buildCall } from '../http/request/build.ts'
import { decodeRow } from '../http/response/decode.ts'
import { locateRows } from '../http/response/rows.ts'
import type { Run, ViewRead } from '../run.ts'
import type { LiveRow } from '../row.ts'
import { sendRead } from './upstream.ts'
import type { WireCall, WireReply } from '../wire.ts'

export interface ReadRows {
  readonly rows: readonly LiveRow[]
  readonly partial?: Partial
  readonly continuation?: Continuation
  /** What ended the reading early, and what the reader should know. */
  readonly problems: readonly Problem[]
  /** Nothing was read at all. */
  readonly failed?: true
}

/** Reads pages until enough rows are there, the API is done or the budget is. Rows that were read are always kept. */
export async function readRows(run: Run, reading: Reading): Promise<ReadRows> {
  const { invocation } = reading
  const { view } = invocation.capability
  if (view) return composed(run, await run.view(view, invocation), reading)
  const built = buildCall(invocation, run.world.sessionId)
  const entity = indexOf(invocation.catalog).entities.get(invocation.capability.entity)
  if (!built.ok) return { rows: [], problems: built.problems, failed: true }
  if (!entity) return { rows: [], problems: [], failed: true }
  const pages = new Pages(run, reading, built.value, entity)
  await pages.read()
  return pages.outcome()
}

/** The one row of a view, where it meets the conditions. */
async function composed(run: Run, read: ViewRead, reading: Reading): Promise<ReadRows> {
  if (!read.ok) return { rows: [], problems: read.problems, failed: true }
  const { filters, invocation, digest } = reading
  const problems = [...read.problems]
  const entity = entityNameOf(invocation, digest)
  const joined = await joinFilters(run, entity, [read.row], filters, (found) => problems.push(found))
  const partial = worse(joined.partial, read.partial)
  return { rows: joined.rows.filter((row) => passes(row, filters)), problems, ...(partial && { partial }) }
}

/** The entity that a capability's rows are rows of. */
export function entityNameOf({ catalog, capability }: Invocation, digest: string): EntityName {
  return { catalog: catalog.id, digest, entity: capability.entity }
}

class Pages {
  private readonly run: Run
  private readonly reading: Reading
  private readonly call: WireCall
  private readonly entity: Entity
  private readonly rows: LiveRow[] = []
  private readonly problems: Problem[] = []
  private readonly bad: string[] = []
  private decoded = 0
  private pagesRead = 0
  private partial: Partial | undefined
  private state: PageState
  private more = false
  /** The rows of the page before this one, where this reading has read it. */
  private last: readonly Json[] | undefined

  constructor(run: Run, reading: Reading, call: WireCall, entity: Entity) {
    this.run = run
    this.reading = reading
    this.call = call
    this.entity = entity
    const { paging } = this.request()
    this.state = reading.state ?? firstPage(paging, reading.invocation.arguments, this.pageSize())
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
    const goesOn = this.partial !== undefined && !failed && (this.more || this.partial !== 'more_pages')
    return {
      rows,
      problems: this.problems,
      ...(this.partial !== undefined && { partial: this.partial }),
      ...(goesOn && { continuation: continuationOf(this.reading, this.place()) }),
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
    const { catalog, capability } = this.reading.invocation
    return { catalog: catalog.id, capability: capability.name }
  }

  private request() {
    const { request } = this.reading.invocation.capability
    if (!request) throw new Error('a call was built from a capability without a request')
    return request
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
    const { paging, response } = this.request()
    const call = paging ? pageCall(this.call, paging, this.state) : this.call
    const sent = await sendRead(this.run, call, this.reading.invocation.capability)
    if (!sent.ok) return this.stop(sent.why === 'budget' ? 'budget' : 'failed', sent.problem)
    const located = locateRows(sent.reply.body, response, 'many', this.reading.invocation.arguments)
    if (!located.ok)
      return this.stop(
        'failed',
        problem('wrong_shape', { ...this.where(), path: located.path, found: located.found }),
      )
    this.pagesRead++
    const taken = await this.take(located.rows)
    if (!taken) return false
    return this.move(call, sent.reply, located.rows)
  }

  private stop(partial: Partial, found: Problem): false {
    this.partial = partial
    this.problems.push(found)
    return false
  }

  /** Decodes a page's rows and keeps those that pass; false where a limit cuts the page. */
  private async take(elements: readonly Json[]): Promise<boolean> {
    const { limit, pageSize, filters, invocation } = this.reading
    const room = Math.min(limit ?? Infinity, pageSize ?? Infinity)
    const allowed = this.run.meter.rowsLeft()
    const { skip } = this.state
    const live: { readonly row: LiveRow; readonly at: number }[] = []
    const slice = elements.slice(skip, skip + allowed)
    for (const [offset, raw] of slice.entries()) {
      const decoded = decodeRow(raw, {
        catalog: invocation.catalog,
        entity: this.entity,
        ambient: invocation.arguments,
      })
      if ('row' in decoded) live.push({ row: decoded.row, at: skip + offset })
      else this.bad.push(decoded.bad)
    }
    this.decoded += slice.length
    this.run.meter.rows(slice.length)
    const whole = await this.withFilterFields(live.map(({ row }) => row))
    for (const [index, { at }] of live.entries()) {
      const row = whole[index]
      if (!row || !passes(row, filters)) continue
      if (this.rows.length >= room) return this.cut(at)
      this.rows.push(row)
    }
    if (skip + slice.length >= elements.length) return true
    this.state = { ...this.state, skip: skip + slice.length }
    const found = this.run.meter.over(`\`${invocation.catalog.id}\` ${invocation.capability.name}`)
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
    const { paging } = this.request()
    this.more = false
    if (!paging) return true
    if (this.isRepeated(rows)) {
      this.problems.push(problem('page_repeated', this.where()))
      return true
    }
    const moved = advance(this.reading.invocation.catalog, paging, this.state, call, reply, rows)
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
    const { filters, invocation, digest } = this.reading
    const entity = entityNameOf(invocation, digest)
    const whole = await this.hydrated(rows, fields)
    const joined = await joinFilters(this.run, entity, whole, filters, (found) => this.problems.push(found))
    this.partial = worse(joined.partial, this.partial)
    return joined.rows
  }

  private async filled(): Promise<readonly LiveRow[]> {
    return this.reading.needs === undefined ? this.rows : this.hydrated(this.rows, this.reading.needs)
  }

  private async hydrated(rows: readonly LiveRow[], fields: readonly string[]): Promise<readonly LiveRow[]> {
    const { catalog, capability } = this.reading.invocation
    const filled = await hydrate(this.run, {
      catalog,
      entity: this.entity,
      rows,
      fields,
      ...(capability.provides && { provided: capability.provides }),
    })
    this.problems.push(...filled.problems)
    return filled.rows
  }
}
