import { createHash } from 'node:crypto'
import { isName } from '../../access/identity.ts'
import { isSurface, type Surface } from '../../access/surface.ts'

/** A key without its secret, as its file shows it. */
export interface KeyInfo {
  readonly id: string
  readonly tenant?: string
  readonly subject: string
  /** RFC 3339. */
  readonly created_at: string
  readonly expires_at?: string
  /** What the key may be used for; absent: everything. */
  readonly only?: readonly Surface[]
}

/** The content of a key's file. */
export interface StoredKey extends KeyInfo {
  /** SHA-256 of the secret in hex: 192 random bits need no slower hash. */
  readonly sha256: string
}

/** Parses a key's file; undefined unless it holds a key under its own id. */
export function readKey(text: string, id: string): StoredKey | undefined {
  const held = parsed(text)
  const field = (name: string): unknown =>
    held !== null && typeof held === 'object' && Object.hasOwn(held, name)
      ? Reflect.get(held, name)
      : undefined
  const [subject, tenant, sha256] = [field('subject'), field('tenant'), field('sha256')]
  const [createdAt, expiresAt, only] = [field('created_at'), field('expires_at'), field('only')]
  if (field('id') !== id || !isName(subject) || !(tenant === undefined || isName(tenant))) return undefined
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return undefined
  if (!isInstant(createdAt) || !(expiresAt === undefined || isInstant(expiresAt))) return undefined
  if (!(only === undefined || isSurfaces(only))) return undefined
  return {
    id,
    ...(tenant === undefined ? {} : { tenant }),
    subject,
    created_at: createdAt,
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    ...(only === undefined ? {} : { only }),
    sha256,
  }
}

function isSurfaces(value: unknown): value is readonly Surface[] {
  return Array.isArray(value) && value.length > 0 && value.every(isSurface)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isInstant(value: unknown): value is string {
  return typeof value === 'string' && Number.isFinite(Date.parse(value))
}

/** The stored hash of a secret. */
export function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Has the key expired? */
export function hasEnded({ expires_at: expiresAt }: KeyInfo, now: number): boolean {
  return expiresAt !== undefined && now >= Date.parse(expiresAt)
}

/** The key without its hash. */
export function withoutHash(key: StoredKey): KeyInfo {
  const { id, tenant, subject, created_at, expires_at, only } = key
  return {
    id,
    ...(tenant === undefined ? {} : { tenant }),
    subject,
    created_at,
    ...(expires_at === undefined ? {} : { expires_at }),
    ...(only === undefined ? {} : { only }),
  }
}
