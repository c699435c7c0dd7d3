import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, Operator, rowsIn } from './agent.ts'
import { type Chain, startChain, whyNoAnvil } from './anvil.ts'

/* Contracts on a node of an EVM chain that others wrote, through a catalog of ours. */

const TOKEN = fileURLToPath(new URL('../fixtures/catalogs/token', import.meta.url))
const note = whyNoAnvil === '' ? '' : ` (${whyNoAnvil})`

describe.skipIf(whyNoAnvil !== '')(`contracts${note}`, { timeout: 60_000 }, () => {
  const operator = new Operator()
  let chain: Chain
  let agent: Agent
  let [ada, bob, eve] = ['', '', '']
  beforeAll(async () => {
    chain = await startChain(1)
    const [first = '0x', second = '0x', third = '0x'] = chain.accounts
    await chain.transfer(first, second, 2n ** 64n)
    await chain.transfer(second, third, 5n)
    await chain.mine(10)
    await chain.transfer(first, third, 7n)
    const { getAddress } = await import('viem/utils')
    ;[ada, bob, eve] = [getAddress(first), getAddress(second), getAddress(third)]
    await operator.add('plasm', TOKEN, '--server', chain.url, '--no-try')
    agent = await operator.serve()
  }, 60_000)
  afterAll(async () => {
    await agent.close()
    await chain.stop()
    await operator.close()
  })

  test('teaches how values are written, and their unit', async () => {
    const { taught } = await agent.open('teach', 'token:Balance', 'token:Transfer')
    expect(taught).toContain(
      'e1(account=$)\tBalance: What an address holds · account address, balance uint256 in 10^-6 coins',
    )
    expect(taught).toContain(
      'sender address, receiver address, amount uint256 · opt sender, receiver, since int',
    )
  })

  test('reads balances with all their digits', async () => {
    const session = await agent.open('balances', 'token:Balance')
    expect(rowsIn(await session.read(`Balance("${bob.toLowerCase()}")`))).toEqual([
      `${bob.toLowerCase()}\t${2n ** 64n - 5n}`,
    ])
    expect(rowsIn(await session.read(`Balance("${ada}")[balance]`))).toEqual([
      String(2n ** 200n - 2n ** 64n - 7n),
    ])
    expect(await session.read('Balance("0x12")')).toContain(
      '**contract_argument**: `token.Balance`: the arguments do not fit `balanceOf`: `account` must be 0x and 40 hexadecimal digits.',
    )
  })

  test('reads logs from the newest block to the oldest, in windows and pages', async () => {
    const session = await agent.open('transfers', 'token:Transfer')
    const all = await session.read('Transfer.limit(9)[block,sender,receiver,amount]')
    expect(rowsIn(all)).toEqual([
      `13\t${ada}\t${eve}\t7`,
      `2\t${bob}\t${eve}\t5`,
      `1\t${ada}\t${bob}\t${2n ** 64n}`,
    ])
    const received = await session.read(`Transfer{receiver="${eve}"}.page_size(1)[amount]`)
    expect(rowsIn(received)).toEqual(['7'])
    expect(rowsIn(await session.page(received))).toEqual(['5'])
    const since = `Transfer{sender="${ada}", since=2}.limit(9)[block]`
    expect(rowsIn(await session.read(since))).toEqual(['13'])
  })
})
