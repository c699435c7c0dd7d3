import { canonicalJson, lengthPrefixed } from '../../base/canonical.ts'
import { hmac128, isHmac128 } from '../../base/hash.ts'
import type { Plan } from '../../language/plan/plan.ts'
import type { Confirmation } from '../contract.ts'
import type { EffectBound } from './effects.ts'
import type { Parts } from '../parts.ts'
import { reviewText } from './review.ts'
import type { LiveSession } from '../session/live-session.ts'

/**
 * What a person has to agree to before a plan runs; nothing where the code shows that somebody did. The code is made for
 * one plan of one principal, its digest and the most calls of each of its changes: it opens nothing else, and says nothing
 * of the way that it came by.
 */
export function missingConfirmation(
  { secrets }: Parts,
  { owner }: LiveSession,
  plan: Plan,
  planRef: string,
  effects: readonly EffectBound[],
  code: string | undefined,
): Confirmation | undefined {
  const agreedTo = lengthPrefixed([
    'confirm',
    '1',
    owner.address,
    owner.principal,
    planRef,
    plan.digest,
    canonicalJson(effects.map((effect) => ({ ...effect }))),
  ])
  if (code !== undefined && secrets.some((secret) => isHmac128(secret, agreedTo, code))) return undefined
  return { plan: planRef, review: reviewText(plan, effects, planRef), code: hmac128(secrets[0], agreedTo) }
}
