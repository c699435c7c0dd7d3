import { CLOSED_POLICY, type Policy } from '../../access/policy.ts'
import type { SharedTexts } from '../../access/shared-texts.ts'
import type { Clock } from '../../base/clock.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { policyOfText, type PolicySource, refuseUnread } from './policy-file.ts'
import { authProblem } from './problems.ts'

const NAME = 'policy'
/** Within a call, what was read so long ago is asked for again in passing. */
const RECENT_MS = 50
/** What could not be read again for so long gives nobody any right. */
const OLDEST_MS = 10_000

/**
 * The policy of the store that all nodes share, read at each call: a right that is taken back is gone at the next call on
 * every node. Without one, and while it cannot be read, nobody has any right.
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

/** Makes the text the policy of every node, unless it is none. Gives what `policyOfText` gives. */
export async function publishPolicy(texts: SharedTexts, text: string, file: string): Promise<Result<Policy>> {
  const policy = policyOfText(text, file)
  if (policy.ok) await texts.write(NAME, text)
  return policy
}

/** The policy of every node as it was written; nothing where there is none. */
export function publishedPolicy(texts: SharedTexts): Promise<string | undefined> {
  return texts.read(NAME)
}
