import type { Json } from '../../../base/canonical.ts'
import { ok, type Result } from '../../../base/diagnostic.ts'
import { scalarText } from '../../../base/json.ts'
import { indexOf } from '../../../catalog/lookup.ts'
import { buildCall } from '../../http/request/build.ts'
import { decodeRow } from '../../http/response/decode.ts'
import { locateRows } from '../../http/response/rows.ts'
import type { Invocation } from '../../invocation.ts'
import type { Answered, Prepared, Sent } from '../../source.ts'
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
    return { ok: true, ...answered(exchange, result.reply), ...(partial && { partial }) }
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

/** The rows of a call's answer, or the value that came instead. A write whose answer holds no row is done all the same. */
function answered(exchange: Exchange, { body }: WireReply): Answered {
  const { request, invocation } = exchange
  const located = locateRows(body, request.response, 'one', invocation.arguments)
  const found = located.ok ? located.rows : []
  const [value] = found
  const isValue = found.length === 1 && scalarText(value) !== undefined
  return { rows: rowsOf(invocation, found), ...(isValue && { value }) }
}

function rowsOf({ pinned, capability, identity, arguments: ambient }: Invocation, found: readonly Json[]) {
  const { catalog } = pinned
  const entity = indexOf(catalog).entities.get(capability.entity)
  if (!entity) return []
  const forced =
    identity !== undefined &&
    entity.key.length === 1 &&
    (capability.kind === 'update' || capability.effect !== 'read')
  return found.flatMap((raw) => {
    const requested = identity && { requested: identity }
    const decoded = decodeRow(raw, { catalog, entity, ambient, forced, ...requested })
    return 'row' in decoded ? [decoded.row] : []
  })
}
