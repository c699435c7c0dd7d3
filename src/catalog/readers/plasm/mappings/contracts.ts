import { abiOf, type EvmOperation, type EvmPlace, indexedOf, LOG_KEYS } from '../../../evm/operation.ts'
import type { CapabilityCall, CapabilityKind } from '../../../model.ts'
import type { Expression, HttpRequest } from '../../../calls/http-request.ts'
import { problem } from '../../../problems.ts'
import { Section } from '../../document/section.ts'
import type { Tree } from '../../document/tree.ts'
import { rule } from '../problems.ts'
import { readExpression, type Setting, tagged } from './expressions.ts'

/** `from_block` and `to_block` are our extensions: without them, logs are read from the newest block to the first. */
export const CONTRACT_KEYS = {
  evm_call: ['transport', 'chain', 'contract', 'function', 'args', 'block', 'decode'],
  evm_logs: [
    'transport',
    'chain',
    'contract',
    'event',
    'topics',
    'from_block',
    'to_block',
    'pagination',
    'decode',
  ],
} as const

/** How many blocks one request for logs covers, where the catalog does not say: what most nodes take. */
const WINDOW = 1000

type Evm = Extract<CapabilityCall, { kind: 'evm' }>

/** Reads `transport: evm_call` and `evm_logs`. Without the codec the capability is not supported. */
export function readContract(
  read: Section,
  kind: 'evm_call' | 'evm_logs',
  setting: Setting,
): Evm | undefined {
  if (!setting.abi) {
    setting.unsupported.add('evm')
    return undefined
  }
  read.need('chain')
  read.need('contract')
  const chain = readChain(read, setting)
  const called = kind === 'evm_call' ? readCall(read, setting) : readLogs(read, setting)
  if (chain === undefined || !called) return undefined
  const decode = readDecode(read, { ...called.operation, chain, decode: [] })
  return {
    kind: 'evm',
    request: templateOf(called.operands),
    operation: { ...called.operation, chain, decode },
  }
}

/** The number of a chain, or its name. */
function readChain(read: Section, { abi }: Setting): number | undefined {
  const tree = read.get('chain')
  const name = tree?.kind === 'scalar' && typeof tree.value === 'string' ? tree.value : undefined
  if (name === undefined) return read.count('chain')
  const number = abi?.chains.get(name)
  if (number === undefined) read.unknown('chain', 'chain', name, abi?.chains.keys() ?? [])
  return number
}

type Called = {
  readonly operation:
    | Omit<Extract<EvmOperation, { type: 'call' }>, 'chain' | 'decode'>
    | Omit<Extract<EvmOperation, { type: 'logs' }>, 'chain' | 'decode'>
  readonly operands: readonly (readonly [string, Expression])[]
}

function readCall(read: Section, setting: Setting): Called | undefined {
  const signature = read.needText('function')
  const parsed = signature === undefined ? undefined : setting.abi?.function(signature)
  if (parsed?.ok === false) read.broken(rule('signature_unread', { reason: parsed.reason }), 'function')
  const values = readList(read, 'args', setting)
  const operands = [
    ...operand(read, 'contract', 'contract', setting),
    ['arguments', values] as const,
    ...operand(read, 'block', 'block', setting),
  ]
  if (!parsed?.ok) return undefined
  const called = parsed.value
  const isRead = called.stateMutability === 'view' || called.stateMutability === 'pure'
  if (!isRead) refuseTransaction(read, 'function', setting)
  const [wanted, found] = [called.inputs.length, values.elements.length]
  if (wanted !== found) read.broken(rule('arguments_unfit', { wanted, found }), 'args')
  return { operation: { type: 'call', function: called }, operands }
}

function readLogs(read: Section, setting: Setting): Called | undefined {
  const signature = read.needText('event')
  const parsed = signature === undefined ? undefined : setting.abi?.event(signature)
  if (parsed?.ok === false) read.broken(rule('signature_unread', { reason: parsed.reason }), 'event')
  const topics = readList(read, 'topics', setting)
  const operands = [
    ...operand(read, 'contract', 'contract', setting),
    ['topics', topics] as const,
    ...operand(read, 'from_block', 'from', setting),
    ...operand(read, 'to_block', 'to', setting),
  ]
  const window = readWindow(read)
  if (!parsed?.ok) return undefined
  const wanted = indexedOf(parsed.value).length
  const found = topics.elements.length
  if (found > wanted) read.broken(rule('arguments_unfit', { wanted, found }), 'topics')
  return { operation: { type: 'logs', event: parsed.value, window }, operands }
}

function operand(
  read: Section,
  key: string,
  name: string,
  setting: Setting,
): readonly (readonly [string, Expression])[] {
  const tree = read.get(key)
  return tree ? [[name, readExpression(tree, read.path(key), setting)]] : []
}

function readList(read: Section, key: string, setting: Setting): Extract<Expression, { type: 'array' }> {
  const elements = read
    .items(key)
    .map((item, index) => readExpression(item, `${read.path(key)}[${index}]`, setting))
  return { type: 'array', elements }
}

/** `{ location: block_range, params: { range_size: { fixed: 1000 } } }`. */
function readWindow(read: Section): number {
  const inner = (section: Section | undefined, key: string, keys: readonly string[]) => {
    const tree = section?.get(key)
    return section && tree && Section.of(tree, section.path(key), keys, read.notes)
  }
  const pagination = inner(read, 'pagination', ['location', 'params'])
  pagination?.choice('location', ['block_range'])
  const size = inner(inner(pagination, 'params', ['range_size']), 'range_size', ['fixed'])
  return Math.max(1, size?.count('fixed') ?? WINDOW)
}

const PLACES = ['input', 'output', 'topic', 'data', 'log_meta'] as const
const PLACE_KEYS = {
  input: ['index', 'unit'],
  output: ['index', 'unit'],
  topic: ['index', 'unit'],
  data: ['index', 'unit'],
  log_meta: ['key'],
} as const

function readDecode(read: Section, operation: EvmOperation): readonly (readonly [string, EvmPlace])[] {
  read.need('decode')
  const ofCall = ['input', 'output']
  return read.entries('decode').flatMap(([name, { tree }]): (readonly [string, EvmPlace])[] => {
    const place = readPlace(read, `decode.${name}`, tree)
    if (!place) return []
    if (place.type === 'log_meta' && operation.type === 'logs') return [[name, place]]
    const fits = ofCall.includes(place.type) === (operation.type === 'call')
    if (place.type !== 'log_meta' && fits && abiOf(operation, place)) return [[name, place]]
    const count = place.type === 'log_meta' || !fits ? 0 : countOf(operation, place)
    read.broken(rule('place_unknown', { place: place.type, count }), 'decode', name)
    return []
  })
}

function countOf(operation: EvmOperation, place: Exclude<EvmPlace, { type: 'log_meta' }>): number {
  let count = 0
  while (abiOf(operation, { ...place, index: count })) count++
  return count
}

function readPlace(read: Section, key: string, tree: Tree): EvmPlace | undefined {
  const found = tagged(tree, read.path(key), { types: PLACES, keys: PLACE_KEYS }, read.notes)
  if (!found) return undefined
  const { section, type } = found
  if (type !== 'log_meta') {
    const unit = section.text('unit')
    return { type, index: section.count('index') ?? 0, ...(unit !== undefined && { unit }) }
  }
  const about = section.need('key') && section.choice('key', LOG_KEYS)
  return about === undefined ? undefined : { type, key: about }
}

/** The operands as the body of a request, so that all that is known of templates holds for them. */
function templateOf(fields: readonly (readonly [string, Expression])[]): HttpRequest {
  return {
    method: 'POST',
    path: [],
    body: { type: 'object', fields },
    bodyFormat: 'json',
    response: { single: false, scalar: false },
  }
}

/** Contracts are only read; logs are lists. */
export function checkContractKind(
  read: Section,
  kind: CapabilityKind,
  operation: EvmOperation,
  setting: Setting,
): void {
  if (!['get', 'query', 'search'].includes(kind)) refuseTransaction(read, 'kind', setting)
  else if (kind === 'get' && operation.type === 'logs') read.broken(rule('logs_unfit', { kind }), 'kind')
}

/** Plasmid holds no keys of accounts. The other capabilities of the catalog work. */
function refuseTransaction(read: Section, key: string, { unsupported, notes }: Setting): void {
  unsupported.add('evm_transaction')
  notes.warn(problem('transaction_refused', { where: read.path(key) }, read.at(key)))
}
