import type { Fix } from '../../../base/diagnostic.ts'
import type { CapabilityKind } from '../../../catalog/model.ts'
import type { Segment } from '../../syntax/tree.ts'
import type { Target } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { takesIdentity } from '../model/methods.ts'
import { capabilitiesOf } from '../model/resolve.ts'
import { isSupported } from '../rules/supported.ts'

/** The names that programs give to methods of each kind. */
const WORDS: readonly (readonly [CapabilityKind, RegExp])[] = [
  ['create', /^(?:create|add|new|insert|post)$/],
  ['update', /^(?:update|edit|patch|set|modify|change|save)$/],
  ['delete', /^(?:delete|remove|destroy)$/],
]

/** `.create(…)` where the entity's only create has another name. */
export function kindFix(
  context: Context,
  target: Target | undefined,
  { name }: Extract<Segment, { kind: 'step' | 'call' }>,
  alone: boolean,
): Fix | undefined {
  const kind = WORDS.find(([, words]) => words.test(name.text.toLowerCase()))?.[0]
  if (!target || kind === undefined) return undefined
  const [only, more] = capabilitiesOf(context.scope, target).filter(
    (capability) =>
      capability.kind === kind && isSupported(capability) && takesIdentity(target, capability) !== alone,
  )
  return only && !more ? { edits: [{ span: name.span, text: only.label }] } : undefined
}
