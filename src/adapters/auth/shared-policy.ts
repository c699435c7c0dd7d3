import { CLOSED_POLICY, type Policy } from '../../access/policy.ts'
import type { SharedTexts } from '../../access/shared-texts.ts'
import type { Clock } from '../../base/clock.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { policyOfText, type PolicySource, refuseUnread } from './policy-file.ts'
import { authProblem } from './problems.ts'

const NAME = 'policy'
/** Within a call, a policy older than this is read again in the background. */
const RECENT_MS = 50
/** A policy that could not be read for this long grants no rights. */
const OLDEST_MS = 10_000

/**
 * The policy of the store that all nodes share, read at each call: a revoked right is gone at the next call on every
 * node. Without a policy, and while it cannot be read, no rights are granted.
 */
export async function sharedPolicy(texts: SharedTexts, clock: Clock): Promise<PolicySource> {
  let held: { readonly text?: string | undefined; readonly read: Result<Policy> } = {
    read: ok(CLOSED_POLICY),
  }
  let readAt = -Infinity
  let failingSince: number | undefined
  let asking: Promise<void> | undefined
  const load = async () => {
    const text = await texts.read(NAME).catch((error: unknown) => {
      failingSince ??= clock.now()
      throw error
    })
    readAt = clock.now()
    failingSince = undefined
    if (text === undefined) held = { read: failed([authProblem('policy_missing', { where: texts.where })]) }
    else if (text !== held.text) held = { text, read: policyOfText(text, texts.where) }
  }
  const policy = (): Policy => {
    const now = clock.now()
    if (Math.abs(now - readAt) >= RECENT_MS)
      asking ??= load()
        .catch(() => undefined)
        .finally(() => (asking = undefined))
    const isOld = failingSince !== undefined && now - failingSince >= OLDEST_MS
    return held.read.ok && !isOld ? held.read.value : CLOSED_POLICY
  }
  await load()
  return {
    where: texts.where,
    refresh: async () => {
      await load()
      refuseUnread(held.read)
    },
    rightsOf: (identity) => policy().rightsOf(identity),
    policy,
  }
}

/** Publishes the text as the policy of every node if it is valid. Gives the problems of `policyOfText`. */
export async function publishPolicy(texts: SharedTexts, text: string, file: string): Promise<Result<Policy>> {
  const policy = policyOfText(text, file)
  if (policy.ok) await texts.write(NAME, text)
  return policy
}

/** The text of the shared policy; undefined if there is none. */
export function publishedPolicy(texts: SharedTexts): Promise<string | undefined> {
  return texts.read(NAME)
}
