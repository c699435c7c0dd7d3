import type { Found, PrincipalKey } from '../../session/store.ts'
import { fromKept, toKept } from './kept.ts'
import type { Addresses } from '../memory/models.ts'
import type { Parts } from '../parts.ts'

/** The only entry of the kind `alias` at an address. */
const NAME = 'to'

/**
 * Finds the session of an intent that was opened under an older secret. The session stays at its address, with its refs;
 * an alias at the newest address points to it and still does once the older secret is removed.
 */
export async function findRotated(
  parts: Parts,
  principal: PrincipalKey,
  addresses: Addresses,
): Promise<Found | undefined> {
  const [own, ...older] = addresses
  const noted = await noteAt(parts, own)
  const there = noted && (await parts.store.findByAddress(principal, noted.address))
  const held = there?.record ? there : await findOlder(parts, principal, older)
  if (held?.record) await note(parts, { from: own, noted, to: held.record.address, now: held.now })
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

/** Is this one of the addresses, or does an alias at one of them point to it? */
export async function leadsTo(parts: Parts, addresses: Addresses, wanted: string): Promise<boolean> {
  if (addresses.includes(wanted)) return true
  for (const address of addresses) if ((await noteAt(parts, address))?.address === wanted) return true
  return false
}

/** The address of a session that was opened under an older secret. */
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
  {
    from,
    noted,
    to,
    now,
  }: {
    readonly from: string
    readonly noted: Awaited<ReturnType<typeof noteAt>>
    readonly to: string
    readonly now: number
  },
): Promise<void> {
  const owner = ownerOf(from)
  const life = limits.recordLifeMs
  if (noted?.address === to && noted.entry.expiresAt - now >= (life * 3) / 4) return
  const body = toKept({ address: to })
  if (noted)
    await store.replace({
      owner,
      kind: 'alias',
      name: NAME,
      version: noted.entry.version,
      body,
      lifeMs: life,
    })
  else await store.claim({ owner, kind: 'alias', name: NAME, body, lifeMs: life })
}

/** An alias belongs to no principal: the record that it points to has its own owner. */
function ownerOf(address: string) {
  return { address, principal: '' }
}
