import type { ExactJson, Json } from '../../../base/canonical.ts'
import { child, isRecord, scalarText } from '../../../base/json.ts'
import { once } from '../../../base/once.ts'
import { apiMessage } from '../../http/response/message.ts'
import { type Invocation, whereOf } from '../../invocation.ts'
import { problem } from '../../problems.ts'
import type { CallContext } from '../../source.ts'
import type { CallFailure } from '../delivery.ts'
import { sendRead } from '../over-http/exchange.ts'

/** One invocation at a node. */
export interface Asking {
  readonly invocation: Invocation
  readonly context: CallContext
}

export type Answered<Value = Json> = { readonly ok: true; readonly value: Value } | CallFailure

/** Calls a method of the node's JSON-RPC; its `result`. */
export async function ask(
  { invocation, context }: Asking,
  method: string,
  params: readonly ExactJson[],
): Promise<Answered> {
  const sent = await sendRead(
    { invocation, context, reads: { errorIn } },
    {
      capability: invocation.capability.name,
      method: 'POST',
      target: { path: '' },
      query: [],
      headers: [],
      body: { format: 'json', value: { jsonrpc: '2.0', id: 1, method, params } },
      repeatable: true,
    },
  )
  if (!sent.ok) return sent
  const value = child(sent.reply.body, 'result')
  return value === undefined
    ? unread(invocation, `an answer to ${method} without \`result\``)
    : { ok: true, value }
}

function errorIn(body: Json): string | undefined {
  return isRecord(child(body, 'error')) ? apiMessage(body) : undefined
}

/** Calls a method whose result is a quantity, and gives it. */
export async function askNumber(asking: Asking, method: string): Promise<Answered<number>> {
  const answered = await ask(asking, method, [])
  if (!answered.ok) return answered
  const value = quantityOf(answered.value)
  return value === undefined ? unread(asking.invocation, `no number from ${method}`) : { ok: true, value }
}

/** A quantity of JSON-RPC (`0x1b4`) that a double holds. */
export function quantityOf(value: Json | undefined): number | undefined {
  const text = scalarText(value) ?? ''
  const number = /^0x[\da-f]{1,14}$/i.test(text) ? Number(text) : NaN
  return Number.isSafeInteger(number) ? number : undefined
}

/** The failure of a call whose answer cannot be used. */
export function unread(invocation: Invocation, found: string): CallFailure {
  const wrong = problem('unexpected_answer', { ...whereOf(invocation), path: '', found })
  return { ok: false, problem: wrong, why: 'failed', acted: 'no' }
}

/** Asks each node for its chain once a run: the same address on another chain is another contract. */
export async function checkChain(asking: Asking, chain: number): Promise<Answered<number>> {
  const { invocation, context } = asking
  const asked = chainsOf(context)
  const { digest } = invocation.pinned
  const answer = asked.get(digest) ?? askNumber(asking, 'eth_chainId')
  asked.set(digest, answer)
  const answered = await answer
  if (!answered.ok) asked.delete(digest)
  if (!answered.ok || answered.value === chain) return answered
  const found = problem('wrong_chain', { ...whereOf(invocation), chain, found: String(answered.value) })
  return { ok: false, problem: found, why: 'failed', acted: 'no' }
}

const chainsOf = once((_run: CallContext) => new Map<string, Promise<Answered<number>>>())
