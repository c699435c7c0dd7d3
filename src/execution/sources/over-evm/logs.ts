import type { Json } from '../../../base/canonical.ts'
import { child, isList, scalarText } from '../../../base/json.ts'
import { type EvmEvent, type EvmPlace, indexedOf } from '../../../catalog/evm/operation.ts'
import { problem } from '../../problems.ts'
import { entityOf, whereOf } from '../../invocation.ts'
import type { Reading } from '../../reading.ts'
import { nothingRead, type ReadRows } from '../../source.ts'
import { type Page, readPages, stoppedPage } from '../pages.ts'
import { rowOf } from './call.ts'
import { ask, askNumber, checkChain, quantityOf } from './node.ts'
import { argumentProblem, type Exchange, operandsOf, type Operands, valuesOf } from './operands.ts'

/** A place between two windows of blocks, which are read from the newest to the oldest. */
interface Place {
  readonly skip: number
  /** The newest block of the window; absent: that of the chain, or the one that the call gives. */
  readonly to?: number
}

/** How many windows without a log one page passes over. */
const MAX_EMPTY_WINDOWS = 20

/** The logs of one event that a read asks for. */
interface LogRead {
  readonly exchange: Exchange
  readonly event: EvmEvent
  readonly operands: Operands
  readonly topics: readonly (string | readonly string[] | null)[]
  /** Blocks of one request. */
  readonly window: number
  /** The oldest block. */
  readonly from: number
}

/** Lists the logs of an event, the newest first. Nothing is sent where an argument does not fit. */
export async function listLogs(
  exchange: Exchange,
  { event, window }: { readonly event: EvmEvent; readonly window: number },
  reading: Reading,
): Promise<ReadRows> {
  const { call, invocation, context } = exchange
  const operands = await operandsOf(exchange)
  if (!operands.ok) return nothingRead(operands.problems)
  const { abi, given } = operands.value
  const values = valuesOf(exchange, indexedOf(event), { given: child(given, 'topics'), isOpen: true })
  if (!values.ok) return nothingRead(values.problems)
  const topics = abi.topics(event, values.value)
  if (!topics.ok) return nothingRead([argumentProblem(invocation, call, topics.reason)])
  const start = placeOf(reading.place)
  if (!start) return nothingRead([problem('continuation_stale', whereOf(invocation))])
  const from = numberOf(child(given, 'from')) ?? 0
  const read: LogRead = { exchange, event, operands: operands.value, topics: topics.value, window, from }
  return readPages({
    reading,
    context,
    entity: entityOf(invocation),
    start,
    page: (place) => readPage(read, place),
  })
}

function placeOf(place: Json | undefined): Place | undefined {
  if (place === undefined) return { skip: 0 }
  const [skip, to] = [numberOf(child(place, 'skip')), numberOf(child(place, 'to'))]
  return skip === undefined ? undefined : { skip, ...(to !== undefined && { to }) }
}

function numberOf(value: Parameters<typeof scalarText>[0]): number | undefined {
  const text = scalarText(value) ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

async function readPage(read: LogRead, place: Place): Promise<Page<Place>> {
  const { exchange, operands, window, from } = read
  const chain = await checkChain(exchange, exchange.call.operation.chain)
  if (!chain.ok) return stoppedPage(chain)
  let to = place.to ?? numberOf(child(operands.given, 'to'))
  if (to === undefined) {
    const newest = await askNumber(exchange, 'eth_blockNumber')
    if (!newest.ok) return stoppedPage(newest)
    to = newest.value
  }
  if (to < from) return { rows: [] }
  for (let empty = 0; ; empty++) {
    const first = Math.max(from, to - window + 1)
    const range = { fromBlock: hex(first), toBlock: hex(to) }
    const answered = await ask(exchange, 'eth_getLogs', [
      { address: operands.contract, topics: read.topics, ...range },
    ])
    if (!answered.ok) return stoppedPage(answered)
    const logs = isList(answered.value) ? answered.value.toReversed() : []
    const next = first > from ? { skip: 0, to: first - 1 } : undefined
    if (logs.length > 0 || !next || empty === MAX_EMPTY_WINDOWS)
      return { rows: logs.map((log) => rowOfLog(read, log)), ...(next && { next }) }
    to = next.to
  }
}

function hex(block: number): string {
  return `0x${Math.max(0, block).toString(16)}`
}

/** The row of a log; null, which is no row, for one that cannot be read. */
function rowOfLog({ exchange, event, operands }: LogRead, log: Json): Json {
  const topics = child(log, 'topics')
  const data = scalarText(child(log, 'data')) ?? ''
  const texts = isList(topics) ? topics.map((topic) => scalarText(topic) ?? '') : []
  const decoded = operands.abi.log(event, { topics: texts, data })
  if (!decoded.ok) return null
  const { indexed, data: values } = decoded.value
  return rowOf(exchange, (place) => {
    if (place.type === 'log_meta') return aboutLog(log, place.key)
    return place.type === 'topic'
      ? indexed[place.index]
      : place.type === 'data'
        ? values[place.index]
        : undefined
  })
}

function aboutLog(log: Json, key: Extract<EvmPlace, { type: 'log_meta' }>['key']): unknown {
  switch (key) {
    case 'address':
      return child(log, 'address')
    case 'block_number':
      return quantityOf(child(log, 'blockNumber'))
    case 'log_index':
      return quantityOf(child(log, 'logIndex'))
    case 'transaction_hash':
      return child(log, 'transactionHash')
    case 'event_id':
      return `${scalarText(child(log, 'transactionHash')) ?? ''}:${quantityOf(child(log, 'logIndex')) ?? ''}`
    case 'removed':
      return child(log, 'removed') ?? false
  }
}
