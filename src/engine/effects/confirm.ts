import { canonicalJson, lengthPrefixed } from '../../base/canonical.ts'
import { hmac128, isHmac128 } from '../../base/hash.ts'
import type { Confirmation } from '../contract.ts'
import type { EarlierRun } from './stored-run.ts'
import type { EffectBound } from './effects.ts'
import type { Parts } from '../parts.ts'
import { reviewText } from './review.ts'
import type { SessionPlan } from '../session/live-session.ts'

/** A kept plan as it is agreed to. */
interface Agreed {
  readonly planRef: string
  readonly effects: readonly EffectBound[]
  readonly earlier: EarlierRun | undefined
}

/**
 * What a person has to agree to before a plan runs; undefined if the code proves that a person did. The code is valid for
 * one plan of one principal, with its digest and the most calls of each change. It does not prove by which channel it came.
 */
export function missingConfirmation(
  { secrets }: Parts,
  { session: { owner, derived }, plan }: SessionPlan,
  { planRef, effects, earlier }: Agreed,
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
  const review = reviewText(plan, { effects, earlier }, planRef, derived.model)
  return { plan: planRef, review, code: hmac128(secrets[0], agreedTo) }
}
