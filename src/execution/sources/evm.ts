import { decodeRow } from '../http/response/decode.ts'
import { entityOf, whereOf } from '../invocation.ts'
import { problem } from '../problems.ts'
import { type CallOf, type Got, notGot, type Source } from '../source.ts'
import { callContract } from './over-evm/call.ts'
import { listLogs } from './over-evm/logs.ts'
import type { Exchange } from './over-evm/operands.ts'
import { readPages, stoppedPage } from './pages.ts'

/** Reads of contracts over the JSON-RPC of a node: calls of functions, and logs of events. */
export const evm: Source<CallOf<'evm'>> = {
  get: (call, invocation, context) => getRow({ call, invocation, context }),
  list: (call, reading, context) => {
    const exchange = { call, invocation: reading.invocation, context }
    const { operation } = call
    if (operation.type === 'logs') return listLogs(exchange, operation, reading)
    return readPages({
      reading,
      context,
      entity: entityOf(reading.invocation),
      start: { skip: 0 },
      page: async () => {
        const answered = await callContract(exchange, operation.function)
        if (answered.ok) return { rows: [answered.value] }
        return stoppedPage(answered)
      },
    })
  },
}

async function getRow(exchange: Exchange): Promise<Got> {
  const { call, invocation, context } = exchange
  const { operation } = call
  if (operation.type === 'logs') throw new Error('the reader lets logs be lists only')
  const answered = await callContract(exchange, operation.function)
  if (!answered.ok) return notGot([answered.problem], answered.why)
  context.meter.rows(1)
  const decoded = decodeRow(answered.value, {
    catalog: invocation.pinned.catalog,
    entity: entityOf(invocation),
    ambient: invocation.arguments,
    ...(invocation.identity && { requested: invocation.identity }),
  })
  return 'row' in decoded
    ? { ok: true, row: decoded.row, missing: null }
    : notGot([problem('unexpected_answer', { ...whereOf(invocation), path: '', found: decoded.bad })])
}
