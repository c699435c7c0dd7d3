import { serve } from '@hono/node-server'
import fc from 'fast-check'
import { Hono } from 'hono'
import { readFileSync } from 'node:fs'
import { encodeAbiParameters, encodeFunctionData, parseAbiItem, toEventSelector } from 'viem/utils'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { loadAbi } from '../../src/catalog/evm/abi.ts'
import type { ServedCatalog } from '../../src/catalog/model.ts'
import { readPlasm } from '../../src/catalog/readers/plasm/read.ts'
import { cases } from '../law-cases.ts'
import { runnerOf, type Served } from './served.ts'

/* Contracts, at a node that answers as each test says. */

const SIGNATURE =
  'function kept(address who, uint256 amount, bool flag, bytes32 word, string note, int64[] steps, (address owner, uint8 kind) pair) view returns (uint256, string)'
const DOMAIN = `http_backend: http://node.example/rpc/key
values:
  text: { type: string, string_semantics: short }
  number: { type: integer }
  flag: { type: boolean }
  any: { type: json }
entities:
  Kept: { fields: { id: { value_ref: text }, note: { value_ref: text } } }
capabilities:
  kept_query:
    kind: query
    entity: Kept
    parameters:
      - { name: who, value_ref: text, required: true }
      - { name: amount, value_ref: number, required: true }
      - { name: flag, value_ref: flag, required: true }
      - { name: word, value_ref: text, required: true }
      - { name: note, value_ref: text, required: true }
      - { name: steps, value_ref: any, required: true }
      - { name: pair, value_ref: any, required: true }
`
const NAMES = ['who', 'amount', 'flag', 'word', 'note', 'steps', 'pair']
const CONTRACT = '0x00000000000000000000000000000000000070c0'
const MAPPINGS = `kept_query:
  transport: evm_call
  chain: 1
  contract: { type: const, value: '${CONTRACT}' }
  function: ${SIGNATURE}
  args: [${NAMES.map((name) => `{ type: var, name: ${name} }`).join(', ')}]
  block: { type: const, value: 17 }
  decode: { id: { type: output, index: 0 }, note: { type: output, index: 1 } }
`
const ADA = `0x${'ad'.repeat(20)}`

/** What the node answers to a method; the calls that came. */
const answers = new Map<string, (params: readonly unknown[]) => unknown>()
const calls: { readonly method: string; readonly params: readonly unknown[] }[] = []
const app = new Hono()
app.post('/rpc/key', async (c) => {
  const { method, params }: { method: string; params: readonly unknown[] } = await c.req.json()
  calls.push({ method, params })
  return c.json({ jsonrpc: '2.0', id: 1, ...Object(answers.get(method)?.(params)) })
})
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
let [kept, token]: (Pick<Served, 'run' | 'close'> | undefined)[] = []
beforeAll(async () => {
  const abi = await loadAbi()
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/rpc/key`
  const catalogOf = (domain: string, mappings: string): ServedCatalog => {
    const files = {
      domain: { file: 'domain.yaml', text: domain },
      mappings: { file: 'm.yaml', text: mappings },
    }
    const { catalog, errors } = readPlasm({ path: 'c', id: 'c', ...files, ...(abi && { abi }) })
    if (!catalog) throw new Error(JSON.stringify(errors))
    return { ...catalog, origin }
  }
  const fixture = (name: string) =>
    readFileSync(new URL(`../fixtures/catalogs/token/${name}.yaml`, import.meta.url), 'utf8')
  kept = runnerOf(catalogOf(DOMAIN, MAPPINGS))
  token = runnerOf(catalogOf(fixture('domain'), fixture('mappings')))
})
afterAll(async () => {
  await Promise.all([kept?.close(), token?.close()])
  server.close()
})
afterEach(() => {
  answers.clear()
  calls.splice(0)
})
const chainIs = (id: string) => answers.set('eth_chainId', () => ({ result: id }))

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((held): `0x${string}` => `0x${Buffer.from(held).toString('hex')}`)

test('sends the call data that the library makes of the same values', { timeout: 60_000 }, async () => {
  const item = parseAbiItem(SIGNATURE)
  if (item.type !== 'function') throw new Error('no function')
  chainIs('0x1')
  const answer = encodeAbiParameters(item.outputs, [2n ** 255n, 'ü "quoted"'])
  answers.set('eth_call', () => ({ result: answer }))
  const values = fc.record({
    who: hex(20),
    amount: fc.bigInt(0n, 2n ** 256n - 1n),
    flag: fc.boolean(),
    word: hex(32),
    note: fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !/\p{Cc}/u.test(text)),
      fc.string({ unit: fc.constantFrom('$', '${', '}', '"', '\\', 'e1'), maxLength: 14 }),
    ),
    steps: fc.array(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), { maxLength: 4 }),
    owner: hex(20),
    kind: fc.nat(255),
  })
  const law = fc.asyncProperty(values, async ({ who, amount, flag, word, note, steps, owner, kind }) => {
    calls.splice(0)
    // A dollar stands before a name whose value the text takes, or before another: `$$` is one of them.
    const written = JSON.stringify(note.replaceAll('$', '$$$$'))
    const given = `who="${who}", amount=${amount}, flag=${flag}, word="${word}", note=${written}`
    const lists = `steps=[${steps.join(', ')}], pair={owner="${owner}", kind=${kind}}`
    const ran = await kept?.run(`Kept{${given}, ${lists}}`)
    expect(ran).toEqual({
      results: { Kept: [{ id: String(2n ** 255n), note: 'ü "quoted"' }] },
      partial: [undefined],
      problems: [],
    })
    const args = [who, amount, flag, word, note, steps, { owner, kind }] as const
    const data = encodeFunctionData({ abi: [item], args })
    expect(calls).toEqual([
      { method: 'eth_chainId', params: [] },
      { method: 'eth_call', params: [{ to: CONTRACT, data }, '0x11'] },
    ])
  })
  await fc.assert(law, { numRuns: cases(2_000) })
})

test('asks for the chain once a run, and refuses a node of another', async () => {
  chainIs('0x7a69')
  const ran = await token?.run(`Balance("${ADA}"), Transfer`)
  expect(ran?.problems).toEqual([
    '`token.Balance`: the catalog describes chain 1, and the node serves chain 31337.',
    '`token.Transfer`: the catalog describes chain 1, and the node serves chain 31337.',
  ])
  expect(calls.map(({ method }) => method)).toEqual(['eth_chainId'])
})

test.each([
  [
    'an error of the node',
    { error: { code: 3, message: 'execution reverted: paused' } },
    '`token.Balance`: the API answered with an error: "execution reverted: paused".',
  ],
  [
    'no contract at the address',
    { result: '0x' },
    `\`token.Balance\`: expected rows at the top of the answer, got no answer: ${CONTRACT} has no function \`balanceOf\` on this chain.`,
  ],
  [
    'bytes that are too short',
    { result: '0x12' },
    '`token.Balance`: expected rows at the top of the answer, got bytes that `balanceOf` does not give: Data size of 1 bytes is too small for given parameters.',
  ],
  [
    'no result',
    {},
    '`token.Balance`: expected rows at the top of the answer, got an answer to eth_call without `result`.',
  ],
  [
    'a text that is no bytes',
    { result: 'abc' },
    '`token.Balance`: expected rows at the top of the answer, got bytes that `balanceOf` does not give: it is no hexadecimal text.',
  ],
])('reports %s', async (_what, answer, message) => {
  chainIs('0x1')
  answers.set('eth_call', () => answer)
  expect((await token?.run(`Balance("${ADA}")`))?.problems).toEqual([message])
})

test('skips a log of another event, and reads on through empty windows', async () => {
  const word = (end: string) => `0x${end.padStart(64, '0')}`
  const topics = [toEventSelector('event Transfer(address,address,uint256)'), word('aa'), word('bb')]
  const log = { topics, data: word('5'), blockNumber: '0x1', transactionHash: '0xfe', logIndex: '0x0' }
  chainIs('0x1')
  answers.set('eth_blockNumber', () => ({ result: '0x9' }))
  answers.set('eth_getLogs', ([filter]) => ({
    result: JSON.stringify(filter).includes('"fromBlock":"0x0"')
      ? [log, { ...log, topics: [word('1')] }]
      : [],
  }))
  const ran = await token?.run('Transfer[id, amount]')
  expect(ran?.results).toEqual({ Transfer: [{ id: '0xfe:0', amount: '5' }] })
  expect(ran?.problems).toEqual([expect.stringContaining('skipped 1 of 2 rows')])
  const ranges = calls.flatMap(
    ({ params: [filter] }) => /"0x\w+","toBlock":"0x\w+"/.exec(JSON.stringify(filter) ?? '')?.[0] ?? [],
  )
  expect(ranges).toEqual([
    '"0x7","toBlock":"0x9"',
    '"0x4","toBlock":"0x6"',
    '"0x1","toBlock":"0x3"',
    '"0x0","toBlock":"0x0"',
  ])
})
