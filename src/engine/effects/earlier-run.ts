import type { Owner } from '../entry-store.ts'
import type { Parts } from '../parts.ts'
import { fromKept, toKept } from '../session/kept.ts'
import type { LiveSession } from '../session/live-session.ts'
import { belongsTo } from '../session/entries.ts'
import { leasedUntil } from './lease.ts'
import type { EarlierRun, StoredRun } from './stored-run.ts'

/** Which plan of a program was run last. */
interface LatestRun {
  readonly plan: string
}

/** The name under which the run of a program without a plan is kept. */
export function unplannedName(digest: string): string {
  return `=${digest}`
}

/** The run of the same program, by the last plan of it that was run or without one, if its outcome is not known as a whole. */
export async function earlierRun(
  parts: Parts,
  session: LiveSession,
  digest: string,
): Promise<EarlierRun | undefined> {
  const [latest, unplanned] = await Promise.all([
    parts.store.read(session.owner, 'latest', digest),
    stateOf(parts, session, unplannedName(digest)),
  ])
  const plan = latest && fromKept<LatestRun>(latest).plan
  const planned = plan ? await stateOf(parts, session, plan) : undefined
  if (plan && planned) return { plan: `pc${plan}`, state: planned }
  return unplanned && { state: unplanned }
}

/** Notes which plan of the program is run. Durable with the first line of the run's ledger, before anything is sent. */
export async function noteLatest(
  { store, limits }: Parts,
  owner: Owner,
  { digest, plan }: LatestRun & { readonly digest: string },
): Promise<void> {
  const body = toKept({ plan } satisfies LatestRun)
  const { effectLifeMs: lifeMs, plansPerSession: most } = limits
  const entry = { owner, kind: 'latest', name: digest, body, lifeMs } as const
  if (await store.claim({ ...entry, most, isDeferred: true })) return
  const held = await store.read(owner, 'latest', digest)
  // Of two plans that start at once either is the latest.
  if (held) await store.replace({ ...entry, version: held.version })
}

async function stateOf(
  parts: Parts,
  session: LiveSession,
  name: string,
): Promise<EarlierRun['state'] | undefined> {
  const { owner, now } = session
  const entry = await parts.store.read(owner, 'plan', name)
  const stored = entry && fromKept<StoredRun>(entry)
  if (!stored || stored.state === 'open' || !belongsTo(session, stored)) return undefined
  if (stored.outcome) {
    const isUnknown = stored.outcome.facts?.effects.some(({ state }) => state === 'unknown')
    return isUnknown ? 'unknown' : undefined
  }
  if (stored.state === 'cut_off') return 'interrupted'
  return now < (await leasedUntil(parts, owner, stored)) ? 'running' : 'interrupted'
}
