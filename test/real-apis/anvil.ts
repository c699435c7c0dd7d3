import { fileURLToPath } from 'node:url'
import { encodeFunctionData, pad, parseAbiItem, toHex } from 'viem/utils'
import { freePort } from '../free-port.ts'
import { installedPackage } from '../installed-package.ts'
import { type ApiProcess, folderFor, startApi } from './api-process.ts'

const MACHINE = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
const { path: ANVIL, why } = await installedPackage(
  fileURLToPath(new URL('anvil', import.meta.url)),
  `@foundry-rs/anvil-${MACHINE}/bin/anvil`,
)
export const whyNoAnvil = why

/** Where the contract of the token is. */
const TOKEN = '0x00000000000000000000000000000000000070c0'

/**
 * A token in the machine's own code. `balanceOf(address)` reads the slot of the address; any other call moves its second
 * argument from the sender's slot to that of the first, and logs the transfer.
 */
const CODE = [
  '5f3560e01c', // the selector
  '806370a0823114605257', // is it balanceOf? Then from 0x52 on
  '602435600435', // amount and receiver
  '818154018155', // the receiver has more
  '813354033355', // the sender has less
  '815f52337fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60205fa3', // the log
  '60015f5260205ff3', // true
  '5b600435545f5260205ff3', // the balance
].join('')

const TRANSFER = parseAbiItem('function transfer(address to, uint256 amount) returns (bool)')

/** A node of a chain, with accounts that it signs for itself. */
export interface Chain extends ApiProcess {
  readonly accounts: readonly `0x${string}`[]
  /** Sends tokens in a block of their own. */
  readonly transfer: (from: `0x${string}`, to: `0x${string}`, amount: bigint) => Promise<void>
  /** Adds empty blocks. */
  readonly mine: (blocks: number) => Promise<void>
}

/** Starts a node of this chain, where the first account has 2^200 tokens. */
export async function startChain(chain: number): Promise<Chain> {
  const [folder, port] = [folderFor('anvil'), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const flags = ['--port', String(port), '--chain-id', String(chain), '--silent']
  const process = await startApi([ANVIL, ...flags], { url, folder })
  const rpc = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer: unknown = await (await fetch(url, { method: 'POST', headers, body })).json()
    if (typeof answer === 'object' && answer !== null && 'result' in answer) return answer.result
    throw new Error(JSON.stringify(answer))
  }
  const listed = await rpc('eth_accounts')
  const accounts = Array.isArray(listed)
    ? listed.map((one): `0x${string}` => `0x${String(one).slice(2)}`)
    : []
  const [first = '0x'] = accounts
  await rpc('anvil_setCode', TOKEN, `0x${CODE}`)
  await rpc('anvil_setStorageAt', TOKEN, pad(first), toHex(2n ** 200n, { size: 32 }))
  return {
    ...process,
    accounts,
    transfer: async (from, to, amount) => {
      const data = encodeFunctionData({ abi: [TRANSFER], args: [to, amount] })
      await rpc('eth_sendTransaction', { from, to: TOKEN, data })
    },
    mine: async (blocks) => void (await rpc('anvil_mine', toHex(blocks))),
  }
}
