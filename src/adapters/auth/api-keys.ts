import { randomBytes, timingSafeEqual } from 'node:crypto'
import { isName } from '../../access/identity.ts'
import { isSurface, SURFACES } from '../../access/surface.ts'
import { reasonOf } from '../../base/errors.ts'
import type { Clock } from '../../base/clock.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { nearest } from '../../base/suggest.ts'
import { expiryOf } from './expiry.ts'
import { digest, hasEnded, type KeyInfo, readKey, type StoredKey, withoutHash } from './key-file.ts'
import type { KeyPlace } from './key-places.ts'
import { authProblem } from './problems.ts'
import type { Proof } from './proof.ts'
import { AuthUnavailable } from './unavailable.ts'

/** API keys. Additions and removals apply from the next request on. */
export interface KeyRing {
  /** Creates a key. Its text is returned once and never stored. */
  readonly add: (wanted: {
    readonly subject: string
    readonly tenant?: string | undefined
    readonly expires?: string | undefined
    /** What it may be used for, by name; none: everything. */
    readonly only?: readonly string[]
  }) => Promise<Result<KeyInfo & { readonly key: string }>>
  readonly list: () => Promise<Result<readonly KeyInfo[]>>
  readonly revoke: (id: string) => Promise<Result<KeyInfo>>
  /** The place of the keys, for messages. */
  readonly where: string
  /** The identity of the key's owner, or null. Throws `AuthUnavailable` if the keys cannot be read. */
  readonly verify: (key: string) => Promise<Proof | null>
}

const ID_BYTES = 8
const SECRET_BYTES = 24
const KEY = /^plasmid_([0-9a-f]{16})_([\w-]{32})$/
/** Compared when the key does not exist, so that both cases take the same steps. */
const NO_HASH = Buffer.alloc(32)

/** Does the text look like one of our keys? */
export function isApiKey(bearer: string): boolean {
  return bearer.startsWith('plasmid_')
}

/** API keys stored at a place. */
export function keyRing(place: KeyPlace, clock: Clock): KeyRing {
  const load = async (id: string) => {
    const text = await place.read(id)
    return text === undefined ? undefined : readKey(text, id)
  }
  const list = async () => {
    const keys = await Promise.all((await place.ids()).map(load))
    return keys.filter((key) => key !== undefined).toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  }
  return {
    where: place.where,
    add: async ({ subject, tenant, expires, only = [] }) => {
      const now = clock.now()
      const expiresAt = expires === undefined ? undefined : expiryOf(expires, now)
      const wrong = [
        ...(isName(subject) ? [] : [authProblem('key_bad_name', { what: 'subject' })]),
        ...(tenant === undefined || isName(tenant) ? [] : [authProblem('key_bad_name', { what: 'tenant' })]),
        ...(expires === undefined || expiresAt !== undefined
          ? []
          : [authProblem('key_bad_expiry', { expires })]),
        ...only.filter((name) => !isSurface(name)).map(surfaceProblem),
      ]
      if (wrong.length > 0) return failed(wrong)
      const info: KeyInfo = {
        id: randomBytes(ID_BYTES).toString('hex'),
        ...(tenant === undefined ? {} : { tenant }),
        subject,
        created_at: new Date(now).toISOString(),
        ...(expiresAt === undefined ? {} : { expires_at: new Date(expiresAt).toISOString() }),
        ...(only.length === 0 ? {} : { only: SURFACES.filter((surface) => only.includes(surface)) }),
      }
      const secret = randomBytes(SECRET_BYTES).toString('base64url')
      const stored: StoredKey = { ...info, sha256: digest(secret).toString('hex') }
      return attempt(place, async () => {
        await place.add(info.id, `${JSON.stringify(stored, undefined, 2)}\n`)
        return ok({ ...info, key: `plasmid_${info.id}_${secret}` })
      })
    },
    list: () => attempt(place, async () => ok((await list()).map(withoutHash))),
    revoke: (id) =>
      attempt(place, async () => {
        const keys = await list()
        const key = keys.find((one) => one.id === id)
        if (!key) {
          const similar = nearest(
            id,
            keys.map((one) => one.id),
          )
          return failed([authProblem('key_unknown', { id, similar }, { nearest: similar })])
        }
        await place.remove(id)
        return ok(withoutHash(key))
      }),
    verify: async (text) => {
      const [, id, secret] = KEY.exec(text) ?? []
      if (id === undefined || secret === undefined) return null
      const key = await load(id).catch((error: unknown) => {
        throw new AuthUnavailable(`the API keys in ${place.where} cannot be read`, { cause: error })
      })
      const holds = timingSafeEqual(digest(secret), key ? Buffer.from(key.sha256, 'hex') : NO_HASH)
      if (!key || !holds || hasEnded(key, clock.now())) return null
      const { tenant, subject, only } = key
      return {
        identity: { from: 'key', ...(tenant === undefined ? {} : { tenant }), subject },
        issuedAt: Date.parse(key.created_at),
        ...(only ? { only } : {}),
      }
    },
  }
}

function surfaceProblem(name: string) {
  const similar = nearest(name, SURFACES)
  return authProblem('key_bad_surface', { name, similar }, { nearest: similar })
}

async function attempt<T>({ where }: KeyPlace, work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work()
  } catch (error) {
    const reason = reasonOf(error)
    return failed([authProblem('keys_unusable', { where, reason })])
  }
}
