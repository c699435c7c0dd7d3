/** A value in a contract's ABI, in its JSON form. */
export interface AbiParameter {
  readonly type: string
  readonly name?: string | undefined
  readonly indexed?: boolean | undefined
  /** The parts of a tuple. */
  readonly components?: readonly AbiParameter[] | undefined
}

/** A function of a contract. */
export interface EvmFunction {
  readonly type: 'function'
  readonly name: string
  readonly inputs: readonly AbiParameter[]
  readonly outputs: readonly AbiParameter[]
  /** `view` and `pure` functions change nothing; the others take a signed transaction. */
  readonly stateMutability: 'view' | 'pure' | 'nonpayable' | 'payable'
}

/** An event that a contract writes into the log. */
export interface EvmEvent {
  readonly type: 'event'
  readonly name: string
  readonly inputs: readonly AbiParameter[]
}

/** What the log says of an event besides its own values; `event_id`: `<transaction hash>:<log index>`. */
export const LOG_KEYS = [
  'address',
  'block_number',
  'event_id',
  'transaction_hash',
  'log_index',
  'removed',
] as const

/** Where the value of a field is. An `index` counts the inputs, outputs, indexed values or other values of the ABI. */
export type EvmPlace =
  | {
      readonly type: 'input' | 'output' | 'topic' | 'data'
      readonly index: number
      /** What one of a number stands for: `10^-6 USDC`. */
      readonly unit?: string
    }
  | { readonly type: 'log_meta'; readonly key: (typeof LOG_KEYS)[number] }

/**
 * What is read from a contract. The body of the request template gives the operands: `contract`, for a call `arguments` and
 * `block`, for logs `topics`, `from` and `to`.
 */
export type EvmOperation = {
  /** The number of the chain, which the node has to serve. */
  readonly chain: number
  /** By name of the field. */
  readonly decode: readonly (readonly [string, EvmPlace])[]
} & (
  | { readonly type: 'call'; readonly function: EvmFunction }
  /** `window`: how many blocks one request covers. */
  | { readonly type: 'logs'; readonly event: EvmEvent; readonly window: number }
)

/** The ABI value behind a place; undefined where there is none. */
export function abiOf(operation: EvmOperation, place: EvmPlace): AbiParameter | undefined {
  if (place.type === 'log_meta') return undefined
  if (operation.type === 'call') {
    const { inputs, outputs } = operation.function
    return place.type === 'input'
      ? inputs[place.index]
      : place.type === 'output'
        ? outputs[place.index]
        : undefined
  }
  const values =
    place.type === 'topic' ? indexedOf(operation.event) : place.type === 'data' ? dataOf(operation.event) : []
  return values[place.index]
}

/** The values of an event that its topics hold. */
export function indexedOf({ inputs }: EvmEvent): readonly AbiParameter[] {
  return inputs.filter(({ indexed }) => indexed === true)
}

/** The values of an event that its data holds. */
export function dataOf({ inputs }: EvmEvent): readonly AbiParameter[] {
  return inputs.filter(({ indexed }) => indexed !== true)
}
