import type { Json } from '../../../base/canonical.ts'
import type { Problem } from '../../../base/diagnostic.ts'
import { isRecord, recordOf, walk } from '../../../base/json.ts'
import { buildCall } from '../../http/request/build.ts'
import { decodeRow } from '../../http/response/decode.ts'
import { locateRows } from '../../http/response/rows.ts'
import { entityOf, whereOf } from '../../invocation.ts'
import { throughout, type Missing, stoppedBy, worst } from '../../completeness.ts'
import { problem } from '../../problems.ts'
import { type Got, notGot } from '../../source.ts'
import { type Exchange, partialProblem, sendRead } from './exchange.ts'

/** Reads one row: the answer must hold exactly one. */
export async function getOverHttp(exchange: Exchange): Promise<Got> {
  const { request, invocation, context } = exchange
  const { catalog } = invocation.pinned
  const where = whereOf(invocation)
  const built = buildCall(invocation, request, context.world.sessionId)
  if (!built.ok) return notGot(built.problems)
  const sent = await sendRead(exchange, built.value)
  if (!sent.ok) return notGot([sent.problem], sent.why)
  const { response } = request
  const wrong = (path: string, found: string) =>
    notGot([problem('unexpected_answer', { ...where, path, found })])
  const path = (response.path ?? []).join('.')
  const { body, problems, missing } = await completed(exchange, sent.reply.body)
  const located = locateRows(body, response, 'one', invocation.arguments)
  if (!located.ok) return wrong(located.path, located.found)
  const [raw, ...others] = located.rows
  if (raw === undefined || raw === null) return notGot([problem('not_found', { ...where, detail: '' })])
  if (others.length > 0) return wrong(path, `a list of ${located.rows.length}`)
  context.meter.rows(1)
  const decoded = decodeRow(raw, {
    catalog,
    entity: entityOf(invocation),
    ambient: invocation.arguments,
    ...(invocation.identity && { requested: invocation.identity }),
  })
  if (!('row' in decoded)) return wrong(path, decoded.bad)
  const partial = partialProblem(exchange, sent.reply.body)
  if (!partial) return { ok: true, row: decoded.row, problems, missing }
  const lost = throughout(stoppedBy(partial))
  return { ok: true, row: decoded.row, problems: [...problems, partial], missing: worst(missing, lost) }
}

interface Completed {
  readonly body: Json
  readonly problems: readonly Problem[]
  readonly missing: Missing | null
}

/** The answer with what a second one adds; without it, where the second one cannot be had. */
async function completed(exchange: Exchange, body: Json): Promise<Completed> {
  const { request, invocation, context } = exchange
  const { auxiliary } = request.response
  if (!auxiliary || !isRecord(body)) return { body, problems: [], missing: null }
  const built = buildCall(invocation, auxiliary.request, context.world.sessionId)
  const sent = built.ok ? await sendRead(exchange, built.value) : undefined
  if (sent?.ok) {
    const part = walk(sent.reply.body, auxiliary.from)
    const added = part === undefined ? [] : [[auxiliary.into, part] as const]
    return { body: recordOf([...Object.entries(body), ...added]), problems: [], missing: null }
  }
  const [found] = built.ok ? [sent?.problem] : built.problems
  const params = {
    entity: invocation.capability.entity,
    rows: 1,
    fields: [auxiliary.into],
    reason: found?.message ?? '',
  }
  const lost = problem('hydration_failed', params)
  return { body, problems: [lost], missing: throughout(stoppedBy(lost)) }
}
