import { Buffer } from 'node:buffer'
import { createHash, createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto'
import xxhash from 'xxhash-wasm'

/** Key material of the deployment. A KeyObject keeps it out of heap dumps and logs. */
export type Secret = KeyObject | string

/** The secret for new values, then older ones, under which existing values were made. */
export type Secrets = readonly [Secret, ...Secret[]]

const xxh = await xxhash()

/** SHA-256 in lowercase hex (64 characters): for collision resistance. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

/** The first 128 bits of HMAC-SHA256 in lowercase hex: for values that must not be guessable outside the deployment. */
export function hmac128(key: Secret, data: string): string {
  return createHmac('sha256', key).update(data).digest('hex').slice(0, 32)
}

/** Is the text the `hmac128` of the data? Compares in constant time. */
export function isHmac128(key: Secret, data: string, text: string): boolean {
  const [given, wanted] = [text, hmac128(key, data)].map((one) => createHash('sha256').update(one).digest())
  return given !== undefined && wanted !== undefined && timingSafeEqual(given, wanted)
}

/** `hmac128` marked as a UUID of version 8 (RFC 9562, section 5.8), in 22 characters of base64url. */
export function hmacUuid(key: Secret, data: string): string {
  const mac = createHmac('sha256', key).update(data).digest()
  mac[6] = ((mac[6] ?? 0) & 0x0f) | 0x80
  mac[8] = ((mac[8] ?? 0) & 0x3f) | 0x80
  return mac.toString('base64url', 0, 16)
}

/** A UUID in its usual spelling, from its 22 characters of base64url. */
export function uuidText(id: string): string {
  const hex = Buffer.from(id, 'base64url').toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The UUID of version 5 (RFC 9562, section 5.5) of a name: the same everywhere, and not secret. */
export function uuidV5(namespace: string, name: string): string {
  const digest = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
  return uuidText(digest.toString('base64url', 0, 16))
}

/** XXH64 in hex (16 characters): for fingerprints whose collisions are verified or harmless. Never an identity. */
export function fingerprint(text: string): string {
  return xxh.h64ToString(text)
}
