import type * as Viem from 'viem/utils'
import { dataOf, type EvmEvent, type EvmFunction, indexedOf, type AbiParameter } from './operation.ts'

type Hex = `0x${string}`

/** A log of a contract as nodes give it. */
interface Log {
  readonly topics: readonly string[]
  readonly data: string
}

/** A value, or why there is none: one sentence without its full stop. */
type Attempt<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly reason: string }

/** Encodes and decodes the values of contracts. */
export interface Abi {
  /** The numbers of chains by name (`mainnet`, `baseSepolia`), where they were asked for. */
  readonly chains: ReadonlyMap<string, number>
  /** Reads `function balanceOf(address account) view returns (uint256)`. */
  readonly function: (signature: string) => Attempt<EvmFunction>
  /** Reads `event Transfer(address indexed from, uint256 value)`. */
  readonly event: (signature: string) => Attempt<EvmEvent>
  /** The data of a call: the selector and the arguments. */
  readonly callData: (called: EvmFunction, values: readonly unknown[]) => Attempt<Hex>
  /** The values in the answer to a call. */
  readonly outputs: (called: EvmFunction, data: string) => Attempt<readonly unknown[]>
  /** The topics that select logs of the event; null stands for any value. */
  readonly topics: (
    event: EvmEvent,
    values: readonly unknown[],
  ) => Attempt<readonly (Hex | readonly Hex[] | null)[]>
  /** The indexed values and the others of a log. Of an indexed text, list or tuple the log holds only the hash. */
  readonly log: (
    event: EvmEvent,
    log: Log,
  ) => Attempt<{ readonly indexed: readonly unknown[]; readonly data: readonly unknown[] }>
}

/**
 * Loads viem, an optional package; undefined where it is not installed.
 *
 * @param named with the names of chains, which take most of a second to load
 */
export async function loadAbi(named = false): Promise<Abi | undefined> {
  const viem = await import('viem/utils').catch(() => undefined)
  return viem && abiBy(viem, named ? await chainsByName() : new Map())
}

async function chainsByName(): Promise<ReadonlyMap<string, number>> {
  const chains = await import('viem/chains')
  return new Map(
    Object.entries(chains).flatMap(([name, chain]) =>
      typeof chain === 'object' && 'id' in chain ? [[name, chain.id] as const] : [],
    ),
  )
}

function abiBy(viem: typeof Viem, chains: Abi['chains']): Abi {
  const parsed = (signature: string) => viem.parseAbiItem<string>(signature)
  const decode = (parameters: readonly AbiParameter[], data: string): readonly unknown[] =>
    parameters.length === 0 ? [] : viem.decodeAbiParameters(parameters, hexOf(data))
  return {
    chains,
    function: (signature) =>
      attempt(() => {
        const item = parsed(signature)
        if (item.type !== 'function') throw new Error('it is no function')
        const { type, name, inputs, outputs, stateMutability } = item
        return { type, name, inputs, outputs, stateMutability }
      }),
    event: (signature) =>
      attempt(() => {
        const item = parsed(signature)
        if (item.type !== 'event') throw new Error('it is no event')
        const { type, name, inputs } = item
        return { type, name, inputs }
      }),
    callData: (called, values) =>
      attempt(() =>
        viem.concatHex([viem.toFunctionSelector(called), viem.encodeAbiParameters(called.inputs, values)]),
      ),
    outputs: (called, data) => attempt(() => decode(called.outputs, data)),
    topics: (event, values) =>
      attempt(() => viem.encodeEventTopics({ abi: [event], eventName: event.name, args: values })),
    log: (event, { topics, data }) =>
      attempt(() => {
        const [selector, ...words] = topics
        const indexed = indexedOf(event)
        if (selector !== viem.toEventSelector(event) || words.length !== indexed.length)
          throw new Error('it is a log of another event')
        return {
          indexed: indexed.map((parameter, index) => {
            const word = words[index] ?? ''
            return isHashed(parameter) ? word : decode([parameter], word)[0]
          }),
          data: decode(dataOf(event), data),
        }
      }),
  }
}

/** Values that do not fit into one word are indexed by their hash. */
function isHashed({ type }: AbiParameter): boolean {
  return /^(?:string|bytes|tuple)$|\]$/.test(type)
}

function hexOf(text: string): Hex {
  if (!/^0x(?:[\da-f]{2})*$/i.test(text)) throw new Error('it is no hexadecimal text')
  return `0x${text.slice(2)}`
}

/** The package throws what is wrong with a value. */
function attempt<Value>(act: () => Value): Attempt<Value> {
  try {
    return { ok: true, value: act() }
  } catch (thrown) {
    const [reason = ''] = (thrown instanceof Error ? thrown.message : '').split('\n')
    return { ok: false, reason: reason.replace(/[.:]?\s*$/, '') }
  }
}
