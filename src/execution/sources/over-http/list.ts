import { firstPage, type PageState, readPageState } from '../../http/page-state.ts'
import { advance, type Advance, isBehindLast, isGuessedEnd, isRepeated, pageCall } from '../../http/paging.ts'
import { buildCall } from '../../http/request/build.ts'
import { besideIn, locateRows } from '../../http/response/rows.ts'
import { entityOf, whereOf } from '../../invocation.ts'
import { problem } from '../../problems.ts'
import type { Reading } from '../../reading.ts'
import { nothingRead, type ReadRows } from '../../source.ts'
import type { UnaddressedCall } from '../../wire.ts'
import { type Page, readPages, stoppedPage } from '../pages.ts'
import { type Exchange, partialProblem, sendRead } from './exchange.ts'

/** Reads pages until enough rows are there, the API is done or the budget is used up. Rows that were read are kept. */
export async function listOverHttp(exchange: Exchange, reading: Reading): Promise<ReadRows> {
  const { invocation, request, context } = exchange
  const built = buildCall(invocation, request, context.world.sessionId)
  if (!built.ok) return nothingRead(built.problems)
  const state = reading.place === undefined ? undefined : readPageState(reading.place)
  if (reading.place !== undefined && !state)
    return nothingRead([problem('continuation_stale', whereOf(invocation))])
  return readPages({
    reading,
    context,
    entity: entityOf(invocation),
    start: state ?? firstPage(request.paging, invocation.arguments, pageSize(reading)),
    page: (at) => readPage(exchange, built.value, at),
  })
}

/**
 * What to ask of one page. A limit is pushed down where no filter of ours thins the rows, but not below ten: some APIs
 * refuse smaller pages.
 */
function pageSize({ limit, pageSize: size, filters }: Reading): number | undefined {
  if (size !== undefined) return size
  return limit === undefined || filters.length > 0 ? undefined : Math.max(10, limit)
}

async function readPage(
  exchange: Exchange,
  unpaged: UnaddressedCall,
  state: PageState,
): Promise<Page<PageState>> {
  const { invocation, request } = exchange
  const { paging, response } = request
  const where = whereOf(invocation)
  const sent = await sendRead(exchange, paging ? pageCall(unpaged, paging, state) : unpaged)
  if (!sent.ok && paging && isBehindLast(paging, state, sent.status)) return { rows: [] }
  if (!sent.ok) return stoppedPage(sent)
  const located = locateRows(sent.reply.body, response, 'many', invocation.arguments)
  if (!located.ok)
    return {
      stopped: problem('unexpected_answer', { ...where, path: located.path, found: located.found }),
      why: 'failed',
    }
  const partial = partialProblem(exchange, sent.reply.body)
  const { rows } = located
  const beside = besideIn(sent.reply.body, response)
  const page = { rows, beside, ...(partial && { partial }) }
  if (!paging) return page
  if (isRepeated(state, rows)) return { rows: [], ended: problem('page_repeated', where) }
  const moved: Advance = advance(paging, state, sent, rows)
  if ('next' in moved) return { ...page, next: moved.next }
  if ('repeated' in moved) return { ...page, ended: problem('page_repeated', where) }
  if ('foreign' in moved)
    return { ...page, ended: problem('next_page_refused', { ...where, origin: moved.foreign }) }
  return moved.isGuess || isGuessedEnd(paging, state, sent.reply, rows)
    ? { ...page, isGuessedEnd: true }
    : page
}
