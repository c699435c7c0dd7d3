import type * as Crypto from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { keyRing } from '../../../src/adapters/auth/api-keys.ts'
import { keysInDirectory } from '../../../src/adapters/auth/key-places.ts'
import { localToken } from '../../../src/adapters/auth/local-token.ts'

const compared = vi.hoisted(() => vi.fn<(a: { byteLength: number }, b: { byteLength: number }) => void>())
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof Crypto>()
  return {
    ...crypto,
    timingSafeEqual: (a: Buffer, b: Buffer) => {
      compared(a, b)
      return crypto.timingSafeEqual(a, b)
    },
  }
})
const THREE = Array.from({ length: 3 }, () => [32, 32])
beforeEach(() => compared.mockClear())

test('compares the local token in constant time', async () => {
  const verifier = await localToken(await mkdtemp(join(tmpdir(), 'plasmid-token-')), { now: Date.now })
  if (!verifier.ok) throw new Error('no token')
  for (const bearer of ['right', 'r', 'wrong'.repeat(100)]) await verifier.value.verify(bearer)
  expect(compared.mock.calls.map(([a, b]) => [a.byteLength, b.byteLength])).toEqual(THREE)
})

test('compares keys in constant time, known or not', async () => {
  const ring = keyRing(keysInDirectory(join(await mkdtemp(join(tmpdir(), 'plasmid-keys-')), 'keys')), {
    now: Date.now,
  })
  const made = await ring.add({ subject: 'ci' })
  const key = made.ok ? made.value.key : ''
  await ring.verify(key)
  await ring.verify(`${key.slice(0, -32)}${'A'.repeat(32)}`)
  await ring.verify(`plasmid_0000000000000000_${key.slice(-32)}`)
  expect(compared.mock.calls.map(([a, b]) => [a.byteLength, b.byteLength])).toEqual(THREE)
})
