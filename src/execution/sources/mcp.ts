import type { Json } from '../../base/canonical.ts'
import { ok, type Result } from '../../base/diagnostic.ts'
import { child } from '../../base/json.ts'
import { decodeRow } from '../http/response/decode.ts'
import { entityOf, type Invocation, whereOf } from '../invocation.ts'
import type { McpAnswer, McpRequest } from '../mcp.ts'
import { problem } from '../problems.ts'
import type { Reading } from '../reading.ts'
import type { LiveRow } from '../row.ts'
import {
  type CallOf,
  type Got,
  notGot,
  nothingRead,
  type Prepared,
  type ReadRows,
  type Sent,
  type Source,
} from '../source.ts'
import { type Answered, type McpExchange, requestOf, send } from './over-mcp/exchange.ts'
import { rowsOf } from './over-mcp/rows.ts'
import { type Page, readPages, stoppedPage } from './pages.ts'

/** Calls to the tools and resources of an MCP server. */
export const mcp: Source<CallOf<'mcp'>> = {
  get: ({ operation }, invocation, context) => getRow({ operation, invocation, context }),
  list: ({ operation }, reading, context) =>
    listRows({ operation, invocation: reading.invocation, context }, reading),
  prepare: ({ operation }, invocation, context) => prepare({ operation, invocation, context }),
}

async function getRow(exchange: McpExchange): Promise<Got> {
  const { operation, invocation, context } = exchange
  const where = whereOf(invocation)
  const request = requestOf(exchange)
  if (!request.ok) return notGot(request.problems)
  const sent = await send(exchange, request.value, 'read')
  if (!sent.ok) return notGot([sent.problem], sent.why)
  const located = rowsOf(operation, sent.answer)
  if (!located.ok)
    return notGot([problem('unexpected_answer', { ...where, path: located.path, found: located.found })])
  const [raw] = located.rows
  if (raw === undefined) return notGot([problem('not_found', { ...where, detail: '' })])
  context.meter.rows(1)
  const decoded = decodedRow(raw, invocation)
  return 'row' in decoded
    ? { ok: true, row: decoded.row, missing: null }
    : notGot([problem('unexpected_answer', { ...where, path: '', found: decoded.bad })])
}

function decodedRow(raw: Json, invocation: Invocation) {
  return decodeRow(raw, {
    catalog: invocation.pinned.catalog,
    entity: entityOf(invocation),
    ambient: invocation.arguments,
    ...(invocation.identity && { requested: invocation.identity }),
  })
}

/** A place in a list: of resources the page's cursor; a tool gives its whole list at once. */
interface Place {
  readonly skip: number
  readonly cursor?: string
}

async function listRows(exchange: McpExchange, reading: Reading): Promise<ReadRows> {
  const { invocation, context } = exchange
  const request = requestOf(exchange)
  if (!request.ok) return nothingRead(request.problems)
  const start = placeOf(reading.place)
  if (!start) return nothingRead([problem('continuation_stale', whereOf(invocation))])
  return readPages({
    reading,
    context,
    entity: entityOf(invocation),
    start,
    page: (place) => readPage(exchange, request.value, place),
  })
}

function placeOf(place: Json | undefined): Place | undefined {
  if (place === undefined) return { skip: 0 }
  const [skip, cursor] = [child(place, 'skip'), child(place, 'cursor')]
  if (typeof skip !== 'number' || !Number.isSafeInteger(skip) || skip < 0) return undefined
  return { skip, ...(typeof cursor === 'string' && { cursor }) }
}

async function readPage(exchange: McpExchange, request: McpRequest, { cursor }: Place): Promise<Page<Place>> {
  const where = whereOf(exchange.invocation)
  const asked = request.type === 'resources' && cursor !== undefined ? { ...request, cursor } : request
  const sent = await send(exchange, asked, 'read')
  if (!sent.ok) return stoppedPage(sent)
  const located = rowsOf(exchange.operation, sent.answer)
  if (!located.ok)
    return {
      stopped: problem('unexpected_answer', { ...where, path: located.path, found: located.found }),
      why: 'failed',
    }
  const next = nextOf(sent.answer)
  if (next !== undefined && next === cursor)
    return { rows: located.rows, ended: problem('page_repeated', where) }
  return { rows: located.rows, ...(next !== undefined && { next: { skip: 0, cursor: next } }) }
}

function nextOf(answer: McpAnswer): string | undefined {
  return answer.type === 'resources' ? answer.next : undefined
}

function prepare(exchange: McpExchange): Result<Prepared> {
  const request = requestOf(exchange)
  if (!request.ok) return request
  const sent = (result: Answered): Sent => (result.ok ? answered(exchange, result.answer) : result)
  return ok({
    read: async () => sent(await send(exchange, request.value, 'read')),
    effect: async () => sent(await send(exchange, request.value, 'effect')),
  })
}

/** The rows of a call's answer. A change whose answer cannot be read is done all the same. */
function answered({ operation, invocation }: McpExchange, answer: McpAnswer): Sent {
  const unread = (path: string, found: string): Sent => ({
    ok: false,
    problem: problem('unexpected_answer', { ...whereOf(invocation), path, found }),
    why: 'failed',
    acted: 'yes',
  })
  const located = rowsOf(operation, answer)
  if (!located.ok) return unread(located.path, located.found)
  const rows: LiveRow[] = []
  for (const raw of located.rows) {
    const decoded = decodedRow(raw, invocation)
    if ('bad' in decoded) return unread('', decoded.bad)
    rows.push(decoded.row)
  }
  return { ok: true, rows }
}
