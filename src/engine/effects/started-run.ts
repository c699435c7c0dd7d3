import type { Entry } from '../entry-store.ts'
import type { Reply, RunFacts } from '../contract.ts'
import type { EngineCall } from '../call.ts'
import { cutOffAccount, cutOffReply } from './cut-off.ts'
import { fromKept, toKept } from '../session/kept.ts'
import { leasedUntil } from './lease.ts'
import { offerRest } from './rest.ts'
import type { Parts } from '../parts.ts'
import { engineProblem } from '../problems.ts'
import { withProblem } from '../reply/answer.ts'
import { heldReply, keptReply, readReply } from './kept-reply.ts'
import type { LiveSession, SessionPlan } from '../session/live-session.ts'
import { linesOf, type StoredRun } from './stored-run.ts'
import type { Uses } from '../session/uses.ts'

/** A run that only this call may execute. */
export interface ClaimedRun {
  /** Of its entry. */
  readonly name: string
  readonly version: number
  readonly stored: StoredRun & { readonly run: string }
  /** How long this answer of it is kept. */
  readonly keptMs: (reply: Reply<RunFacts>) => number
}

/** The state of a run that was started. `changed`: read it again. */
export type Started =
  | { readonly kind: 'ended'; readonly reply: Reply<RunFacts> }
  | { readonly kind: 'running'; readonly seconds: number }
  | { readonly kind: 'changed' }

/**
 * Its recorded answer; or, once its lease expired, what the ledger knows: the first call that finds the expired lease
 * declares the run cut off, and from then on it sends nothing more.
 *
 * @param keptMs how long the account of a run that was cut off is kept
 */
export async function startedRun(
  call: EngineCall,
  planned: SessionPlan,
  entry: Entry,
  keptMs: number,
): Promise<Started> {
  const { store, unrecorded } = call
  const { owner, now } = planned.session
  const stored = fromKept<StoredRun>(entry)
  const reply = await readReply(call, owner, stored)
  if (reply) return { kind: 'ended', reply }
  if (stored.run !== undefined && (await unrecorded.record(owner, stored.run))) return { kind: 'changed' }
  if (stored.state === 'cut_off') return accountOf(call, planned, entry, keptMs)
  const until = await leasedUntil(call, owner, stored)
  if (now < until) return { kind: 'running', seconds: Math.ceil((until - now) / 1000) }
  const next: StoredRun = { ...stored, state: 'cut_off', ...(entry.lost && { lost: true }) }
  await store.replace({
    owner,
    kind: 'plan',
    name: entry.name,
    version: entry.version,
    body: toKept(next),
    lifeMs: keptMs,
  })
  return { kind: 'changed' }
}

/** The account of a run that was cut off. The first call that gives it offers plans of what was not sent; later ones state the same. */
async function accountOf(
  call: EngineCall,
  planned: SessionPlan,
  entry: Entry,
  keptMs: number,
): Promise<Started> {
  const stored = fromKept<StoredRun>(entry)
  const account = await cutOffAccount(call, planned, stored)
  if (stored.offered) return { kind: 'ended', reply: cutOffReply(planned, account, stored.offered) }
  const { ran, unsent, outcomes } = account
  const uses = outcomes.map(({ catalog, capability }) => [catalog, capability] as const)
  const offered = await offerRest(call, planned, { ran, run: linesOf(stored), unsent, uses })
  const body = toKept({ ...stored, offered })
  const { owner } = planned.session
  const { name, version } = entry
  await call.store.replace({ owner, kind: 'plan', name, version, body, lifeMs: keptMs })
  return { kind: 'changed' }
}

/** Does the run still belong to the call that claimed it? False once it was declared cut off. */
export async function isStillMine(
  { store }: Parts,
  { owner }: LiveSession,
  { name, version }: ClaimedRun,
): Promise<boolean> {
  return (await store.read(owner, 'plan', name))?.version === version
}

/** Keeps its answer for later calls. Gives the answer, which says so where the store could not keep it. */
export async function recordOutcome(
  call: EngineCall,
  { owner }: LiveSession,
  { name, version, stored, keptMs }: ClaimedRun,
  { reply, uses }: { readonly reply: Reply<RunFacts>; readonly uses: Uses },
): Promise<Reply<RunFacts>> {
  const lifeMs = keptMs(reply)
  const record = async (answer: Reply<RunFacts>) => {
    const kept = await keptReply(call, owner, answer, lifeMs)
    const body = toKept({ ...stored, state: 'done', ...kept.entry, uses: uses.list() })
    const isKept = await call.store.replace({ owner, kind: 'plan', name, version, body, lifeMs })
    if (isKept) await kept.keepRows()
    return isKept
  }
  // What was sent is known here and nowhere else: an error would lose it.
  const isKept = await record(reply).catch(() => undefined)
  if (isKept === undefined) {
    const held = await heldReply(call, reply)
    call.unrecorded.add(owner, stored.run, () => record(held))
  }
  return isKept === true ? reply : withProblem(reply, engineProblem('answer_not_kept', {}))
}
