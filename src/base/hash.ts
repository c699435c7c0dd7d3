import { createHash, createHmac, type KeyObject } from 'node:crypto'
import xxhash from 'xxhash-wasm'

/** Key material of the deployment. A KeyObject keeps it out of heap dumps and logs. */
export type Secret = KeyObject | string

const { h64ToString } = await xxhash()

/** SHA-256 in lowercase hex (64 characters): for what must never collide. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

/** HMAC-SHA256 (32 bytes): for addresses that nobody outside the deployment may be able to guess. */
export function hmacSha256(key: Secret, data: Uint8Array): Uint8Array {
  return createHmac('sha256', key).update(data).digest()
}

/** XXH64 in hex (16 characters): for fingerprints whose collisions are checked in full or do no harm. Never an identity. */
export function fingerprint(text: string): string {
  return h64ToString(text)
}
