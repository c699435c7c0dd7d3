import type { ExactJson } from '../../../base/canonical.ts'
import { failed, ok, type Problem, type Result } from '../../../base/diagnostic.ts'
import { child, isList, scalarText } from '../../../base/json.ts'
import { type Abi, loadAbi } from '../../../catalog/evm/abi.ts'
import type { AbiParameter } from '../../../catalog/evm/operation.ts'
import { buildCall } from '../../http/request/build.ts'
import { type Invocation, whereOf } from '../../invocation.ts'
import { problem } from '../../problems.ts'
import type { CallOf } from '../../source.ts'
import type { Asking } from './node.ts'
import { toAbi } from './values.ts'

/** One read of a contract. */
export interface Exchange extends Asking {
  readonly call: CallOf<'evm'>
}

/** What the request template gives, with the codec for it. */
export interface Operands {
  readonly abi: Abi
  readonly contract: string
  readonly given: ExactJson
}

const CONTRACT: AbiParameter = { type: 'address', name: 'contract' }

/** Fills the request template. Gives its problems, `unsupported` and `contract_argument`. */
export async function operandsOf({ call, invocation, context }: Exchange): Promise<Result<Operands>> {
  const where = whereOf(invocation)
  const built = buildCall(invocation, call.request, context.world.sessionId)
  if (!built.ok) return built
  const abi = await loadAbi()
  if (!abi) return failed([problem('unsupported', { ...where, features: ['the package viem'] })])
  const given = built.value.body?.value ?? null
  const contract = child(given, 'contract')
  const converted = toAbi(CONTRACT, contract)
  return 'value' in converted
    ? ok({ abi, contract: scalarText(contract) ?? '', given })
    : failed([argumentProblem(invocation, call, converted.misfit)])
}

/** The values of a list operand as the codec takes them; null stays null where it stands for any value. */
export function valuesOf(
  exchange: Exchange,
  parameters: readonly AbiParameter[],
  { given, isOpen }: { readonly given: ExactJson | undefined; readonly isOpen: boolean },
): Result<readonly unknown[]> {
  const values = isList(given) ? given : []
  const converted = parameters.map((parameter, index) => {
    const value = values[index]
    return isOpen && (value ?? null) === null ? { value: null } : toAbi(parameter, value)
  })
  const problems = converted.flatMap((one): Problem[] =>
    'misfit' in one ? [argumentProblem(exchange.invocation, exchange.call, one.misfit)] : [],
  )
  return problems.length > 0
    ? failed(problems)
    : ok(converted.map((one) => ('value' in one ? one.value : null)))
}

export function argumentProblem(
  invocation: Invocation,
  { operation }: CallOf<'evm'>,
  reason: string,
): Problem {
  const { name } = operation.type === 'call' ? operation.function : operation.event
  return problem('contract_argument', { ...whereOf(invocation), function: name, reason })
}

/** A block as JSON-RPC writes it: a number as a quantity, a tag such as `finalized` as it is. */
export function blockOf(value: ExactJson | undefined): string | undefined {
  const text = scalarText(value)
  if (text === undefined) return undefined
  return /^\d{1,15}$/.test(text) ? `0x${Number(text).toString(16)}` : text
}
