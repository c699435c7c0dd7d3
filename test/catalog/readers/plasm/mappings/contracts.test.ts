import { expect, test } from 'vitest'
import { loadAbi } from '../../../../../src/catalog/evm/abi.ts'
import { briefly, modelOf, readSmall } from '../small.ts'

const abi = await loadAbi(true)
const QUERY = '{ kind: query, entity: Note }'
const CONTRACT = "chain: 1, contract: { type: const, value: '0x00000000000000000000000000000000000070c0' }"
const DECODE = 'decode: { title: { type: output, index: 0 } }'

/** Reads a catalog with the capability `it`, where the codec is installed. */
function readContract(template: string, row = QUERY) {
  return readSmall({ capabilities: `  it: ${row}`, mappings: `it: ${template}` }, abi && { abi })
}

/** The capability `it`. */
function contractOf(template: string, row = QUERY) {
  return modelOf(readContract(template, row)).capabilities.find(({ name }) => name === 'it')
}

test('reads a call and its operands', () => {
  const template = `{ transport: evm_call, ${CONTRACT}, function: 'function symbol() view returns (string)', ${DECODE} }`
  expect(contractOf(template)?.call).toMatchObject({
    kind: 'evm',
    operation: {
      type: 'call',
      chain: 1,
      function: { name: 'symbol', inputs: [], outputs: [{ type: 'string' }], stateMutability: 'view' },
      decode: [['title', { type: 'output', index: 0 }]],
    },
    request: { body: { type: 'object' } },
  })
})

test('marks the capability where the codec is missing, with one line that says what to install', () => {
  const template = `{ transport: evm_call, ${CONTRACT}, function: 'function symbol() view returns (string)', ${DECODE} }`
  const reading = readSmall({ capabilities: `  it: ${QUERY}`, mappings: `it: ${template}` })
  expect(modelOf(reading).capabilities.find(({ name }) => name === 'it')?.unsupported).toEqual(['evm'])
  expect(reading.warnings.filter(({ code }) => code === 'codec_missing')).toEqual([
    expect.objectContaining({
      message: 'The package `viem` is not installed, and a capability reads contracts with it.',
      next: 'Run `npm install viem` beside Plasmid, and start it again.',
    }),
  ])
})

test.each([
  [
    'a function that changes data',
    'function mint(uint256 n) returns (bool)',
    'args: [{ type: const, value: 1 }],',
    QUERY,
  ],
  [
    'a kind that changes data',
    'function symbol() view returns (string)',
    '',
    '{ kind: create, entity: Note }',
  ],
])('disables %s, and nothing else', (_what, signature, args, row) => {
  const template = `{ transport: evm_call, ${CONTRACT}, function: '${signature}', ${args} ${DECODE} }`
  const reading = readContract(template, row)
  const [it, get] = ['it', 'note_get'].map((wanted) =>
    modelOf(reading).capabilities.find(({ name }) => name === wanted),
  )
  expect(it?.unsupported).toEqual(['evm_transaction'])
  expect(get?.unsupported).toEqual([])
  expect(reading.warnings.map(({ code }) => code)).toContain('transaction_refused')
})

test.each([
  ['a signature that is none', `function: 'symbol', ${DECODE}`, 'signature_unread'],
  [
    'a type that is none',
    `function: 'function f(adress a) view returns (bool)', args: [{ type: const, value: 1 }], ${DECODE}`,
    'signature_unread',
  ],
  ['too few arguments', `function: 'function f(bool b) view returns (bool)', ${DECODE}`, 'arguments_unfit'],
  [
    'an output that is not there',
    "function: 'function f() view returns (bool)', decode: { title: { type: output, index: 1 } }",
    'place_unknown',
  ],
  [
    'a topic of a call',
    "function: 'function f() view returns (bool)', decode: { title: { type: topic, index: 0 } }",
    'place_unknown',
  ],
  [
    'a chain without a number',
    `chain: [1], function: 'function f() view returns (bool)', ${DECODE}`,
    'wrong_shape',
  ],
  [
    'the name of no chain',
    `chain: mainet, function: 'function f() view returns (bool)', ${DECODE}`,
    'unknown_name',
  ],
])('reports %s', (_what, rest, code) => {
  const chain = rest.startsWith('chain:') ? CONTRACT.replace('chain: 1,', '') : CONTRACT
  const { errors } = readContract(`{ transport: evm_call, ${chain}, ${rest} }`)
  expect(briefly(errors).map((line) => line.split(' ')[0])).toEqual([code])
})

test.each([
  ['mainnet', 1],
  ['sepolia', 11_155_111],
  ['base', 8453],
])('reads the chain %s by its name', (name, chain) => {
  const template = `{ transport: evm_call, ${CONTRACT.replace('chain: 1', `chain: ${name}`)}, function: 'function f() view returns (bool)', ${DECODE} }`
  expect(contractOf(template)?.call).toMatchObject({ operation: { chain } })
})

test('reports logs as one row, and fields that the entity lacks', () => {
  const event = "event: 'event E(uint256 n)'"
  const of = (field: string) =>
    `{ transport: evm_logs, ${CONTRACT}, ${event}, decode: { ${field}: { type: data, index: 0 } } }`
  const codes = (template: string, row?: string) => readContract(template, row).errors.map(({ code }) => code)
  expect(codes(of('title'), '{ kind: get, entity: Note }')).toEqual(['logs_unfit'])
  expect(codes(of('titel'))).toEqual(['unknown_name'])
  expect(codes(of('title'))).toEqual([])
})
