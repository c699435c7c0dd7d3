import type { Found, PrincipalKey } from '../../session/store.ts'
import { fromKept, toKept } from './kept.ts'
import type { Addresses } from './models.ts'
import type { Parts } from '../parts.ts'

/** There is one at most. */
const NAME = 'to'

/**
 * The session of an intent that has none at its newest address: it was begun under an older secret. It stays where it is,
 * with its refs and all that it holds; a note at the newest address leads to it, also once the older secret is gone.
 */
export async function findAdopted(
  parts: Parts,
  principal: PrincipalKey,
  addresses: Addresses,
): Promise<Found | undefined> {
  const [own, ...older] = addresses
  const noted = await noteAt(parts, own)
  const there = noted && (await parts.store.findByAddress(principal, noted.address))
  const held = there?.record ? there : await findOlder(parts, principal, older)
  if (held?.record) await note(parts, own, noted, held.record.address, held.now)
  return held
}

async function findOlder(
  parts: Parts,
  principal: PrincipalKey,
  addresses: readonly string[],
): Promise<Found | undefined> {
  for (const address of addresses) {
    const found = await parts.store.findByAddress(principal, address)
    if (found.record) return found
    // The secret was changed more than once.
    const noted = await noteAt(parts, address)
    const there = noted && (await parts.store.findByAddress(principal, noted.address))
    if (there?.record) return there
  }
  return undefined
}

/** Which of the addresses, or what one of them leads to, is this one? */
export async function leadsTo(parts: Parts, addresses: Addresses, wanted: string): Promise<boolean> {
  if (addresses.includes(wanted)) return true
  for (const address of addresses) if ((await noteAt(parts, address))?.address === wanted) return true
  return false
}

/** Where a session is whose address was made by an older secret. */
interface Note {
  readonly address: string
}

async function noteAt({ store }: Parts, address: string) {
  const entry = await store.read(ownerOf(address), 'alias', NAME)
  return entry ? { entry, address: fromKept<Note>(entry).address } : undefined
}

/** Keeps the note as long as the session is used; written again only when under three quarters of its time remain. */
async function note(
  { store, limits }: Parts,
  from: string,
  noted: Awaited<ReturnType<typeof noteAt>>,
  to: string,
  now: number,
): Promise<void> {
  const owner = ownerOf(from)
  const life = limits.recordLifeMs
  if (noted?.address === to && noted.entry.expiresAt - now >= (life * 3) / 4) return
  const body = toKept({ address: to })
  if (noted) await store.replace(owner, 'alias', NAME, noted.entry.version, body, life)
  else await store.claim(owner, 'alias', NAME, body, life)
}

/** Nobody's in particular: what is at the address says itself whose it is. */
function ownerOf(address: string) {
  return { address, principal: '' }
}
