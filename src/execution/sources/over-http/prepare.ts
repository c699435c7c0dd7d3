import { ok, type Result } from '../../../base/diagnostic.ts'
import { indexOf } from '../../../catalog/lookup.ts'
import { buildCall } from '../../http/request/build.ts'
import { decodeRow } from '../../http/response/decode.ts'
import { locateRows } from '../../http/response/rows.ts'
import type { LiveRow } from '../../row.ts'
import type { Prepared, Sent } from '../../source.ts'
import type { UnaddressedCall, WireReply } from '../../wire.ts'
import { type CallResult, type Exchange, partialProblem, sendEffect, sendRead } from './exchange.ts'

/** The request with everything filled in and checked; nothing is sent. */
export function prepareOverHttp(exchange: Exchange): Result<Prepared> {
  const { request, invocation, context } = exchange
  const built = buildCall(invocation, request, context.world.sessionId)
  if (!built.ok) return built
  const sent = (result: CallResult): Sent => {
    if (!result.ok) return result
    const partial = partialProblem(exchange, result.reply.body)
    return { ok: true, rows: answeredRows(exchange, result.reply), ...(partial && { partial }) }
  }
  return ok({
    read: async () => sent(await sendRead(exchange, built.value)),
    effect: async (key) => {
      const { idempotencyHeader: header } = invocation.capability
      const isKeyed = header !== undefined && key !== undefined
      const call = isKeyed ? withHeader(built.value, header, key) : built.value
      return sent(await sendEffect(exchange, call, { isKeyed }))
    },
  })
}

function withHeader(call: UnaddressedCall, name: string, value: string): UnaddressedCall {
  return { ...call, headers: [...call.headers, [name, value]] }
}

/** The rows of a call's answer. A write whose answer holds no row is done all the same. */
function answeredRows({ request, invocation }: Exchange, reply: WireReply): readonly LiveRow[] {
  const { pinned, capability, identity } = invocation
  const { catalog } = pinned
  const entity = indexOf(catalog).entities.get(capability.entity)
  const located = locateRows(reply.body, request.response, 'one', invocation.arguments)
  if (!entity || !located.ok) return []
  const forced =
    identity !== undefined &&
    entity.key.length === 1 &&
    (capability.kind === 'update' || capability.effect !== 'read')
  return located.rows.flatMap((raw) => {
    const decoded = decodeRow(raw, {
      catalog,
      entity,
      ambient: invocation.arguments,
      forced,
      ...(identity && { requested: identity }),
    })
    return 'row' in decoded ? [decoded.row] : []
  })
}
