import type { Json } from '../../../base/canonical.ts'
import type { Problem } from '../../../base/diagnostic.ts'
import { child, scalarText, setOwn } from '../../../base/json.ts'
import { fieldsOf } from '../../../catalog/lookup.ts'
import type { EvmFunction, EvmPlace } from '../../../catalog/evm/operation.ts'
import { entityOf } from '../../invocation.ts'
import type { CallFailure } from '../delivery.ts'
import { type Answered, ask, checkChain, unread } from './node.ts'
import { argumentProblem, blockOf, type Exchange, operandsOf, valuesOf } from './operands.ts'
import { fromAbi } from './values.ts'

/** Calls the function of a contract, and gives its answer as one row. Nothing is sent where an argument does not fit. */
export async function callContract(exchange: Exchange, called: EvmFunction): Promise<Answered> {
  const { call, invocation } = exchange
  const operands = await operandsOf(exchange)
  if (!operands.ok) return refused(operands.problems)
  const { abi, contract, given } = operands.value
  const values = valuesOf(exchange, called.inputs, { given: child(given, 'arguments'), isOpen: false })
  if (!values.ok) return refused(values.problems)
  const data = abi.callData(called, values.value)
  if (!data.ok) return refused([argumentProblem(invocation, call, data.reason)])
  const chain = await checkChain(exchange, call.operation.chain)
  if (!chain.ok) return chain
  const block = blockOf(child(given, 'block')) ?? 'latest'
  const answered = await ask(exchange, 'eth_call', [{ to: contract, data: data.value }, block])
  if (!answered.ok) return answered
  const bytes = scalarText(answered.value) ?? ''
  const outputs = bytes === '0x' ? undefined : abi.outputs(called, bytes)
  if (!outputs)
    return unread(invocation, `no answer: ${contract} has no function \`${called.name}\` on this chain`)
  if (!outputs.ok) return unread(invocation, `bytes that \`${called.name}\` does not give: ${outputs.reason}`)
  return { ok: true, value: rowOf(exchange, (place) => valueAt(place, values.value, outputs.value)) }
}

function valueAt(place: EvmPlace, inputs: readonly unknown[], outputs: readonly unknown[]): unknown {
  if (place.type === 'input') return inputs[place.index]
  return place.type === 'output' ? outputs[place.index] : undefined
}

/** The fields of a row, each read from its place. */
export function rowOf({ call, invocation }: Exchange, read: (place: EvmPlace) => unknown): Json {
  const fields = fieldsOf(entityOf(invocation))
  const row: { [name: string]: Json } = {}
  for (const [name, place] of call.operation.decode)
    setOwn(row, name, fromAbi(read(place), fields.get(name)?.type))
  return row
}

/** The failure of a call that was not sent. */
function refused([found]: readonly Problem[]): CallFailure {
  if (!found) throw new Error('a refusal states a problem')
  return { ok: false, problem: found, why: 'failed', acted: 'not_sent' }
}
