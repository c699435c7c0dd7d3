import type { Fix } from '../../../base/diagnostic.ts'
import type { Type } from '../../../catalog/model.ts'
import { problem } from '../../problems.ts'
import type { Value } from '../../syntax/tree.ts'
import { entityBrand, mayShare } from '../model/brands.ts'
import type { CheckedArgument, CheckedValue, Target, Want } from '../model/checked.ts'
import { speakingOf, type Context } from '../model/context.ts'
import { checkIdentity } from './identity.ts'
import { entityIn, nameOf, resolveEntity } from '../model/resolve.ts'
import { brandText } from './flow.ts'
import { fitLiteral, listOf, recordOf } from './literal.ts'

/** `e3(42)` as a value: the identity of one entity, for a slot that refers to it. Nothing is fetched. */
export function checkReference(
  context: Context,
  value: Extract<Value, { kind: 'call' }>,
  want: Want | undefined,
): CheckedValue | undefined {
  if (want?.type.kind === 'array') {
    return listOf([
      checkReference(context, value, {
        ...want,
        type: want.type.items,
        brands: itemBrands(want, want.type.items),
      }),
    ])
  }
  if (refusesMoment(context, value)) return undefined
  const target = referredEntity(context, value, want) ?? resolveEntity(context, value.name)
  if (!target) return undefined
  if (want && refusesReference(context, target, want, value)) return undefined
  const identity = checkIdentity(speakingOf(context, target), target, value)
  if (!identity) return undefined
  const held = identityValue(identity.key)
  const single = want && want.type.kind !== 'reference' && held?.kind === 'literal'
  return single ? fitLiteral(context, held.value, value.span, want) : held
}

/** Reports `now()`, as other languages write it, with the word alone. */
function refusesMoment(
  context: Context,
  { name, arguments: args, span }: Extract<Value, { kind: 'call' }>,
): boolean {
  const { positional, named } = args
  if (!/^(?:now|today)$/.test(name.text) || positional.length + named.length > 0) return false
  const fix = { edits: [{ span, text: name.text }] }
  context.report(() => problem('moment_call', { name: name.text }, { span, fix }))
  return true
}

function itemBrands(want: Want, items: Type): readonly string[] {
  return items.kind === 'reference' ? [`${want.owner.catalog.id} ${items.entity}`] : []
}

/** A slot's own target may be named whether or not the session has a symbol for it: only its key is needed. */
function referredEntity(
  context: Context,
  value: Extract<Value, { kind: 'call' }>,
  want: Want | undefined,
): Target | undefined {
  if (!want || want.type.kind !== 'reference') return undefined
  const target = entityIn(want.owner.catalog, want.owner.digest, want.type.entity)
  if (!target) return undefined
  const { text } = value.name
  return text === target.entity.name || target.entity.aliases.includes(text) ? target : undefined
}

/** Reports an identity of another entity, or of another API, than the slot takes. */
function refusesReference(
  context: Context,
  target: Target,
  want: Want,
  value: Extract<Value, { kind: 'call' }>,
): boolean {
  const { span } = value.name
  const given = nameOf(context.scope, target)
  if (want.type.kind === 'reference') {
    const isSame = want.type.entity === target.entity.name && want.owner.catalog.id === target.catalog.id
    if (!isSame) {
      const wanted = entityIn(want.owner.catalog, want.owner.digest, want.type.entity)
      const name = wanted ? nameOf(context.scope, wanted) : want.type.entity
      // Two APIs may know the same thing under one name: then its key alone says which.
      const isNamesake = want.type.entity === target.entity.name
      const params = isNamesake
        ? { wanted: `${name} of ${want.owner.catalog.id}`, given: `${given} of ${target.catalog.id}` }
        : { wanted: name, given }
      const fix = isNamesake ? keyAlone(value) : undefined
      context.report(
        problem('wrong_reference', { slot: want.name, ...params }, { span, ...(fix && { fix }) }),
      )
    }
    return !isSame
  }
  if (mayShare([entityBrand(target)], want.brands)) return false
  context.report(
    problem('wrong_reference', { slot: want.name, wanted: brandText(want.brands), given }, { span }),
  )
  return true
}

/** The fix that leaves the key of `e3("42")`, which is one plain value. */
function keyAlone({ arguments: args, span }: Extract<Value, { kind: 'call' }>): Fix | undefined {
  const [key, more] = args.positional
  const isOne = key && !more && args.named.length === 0
  if (!isOne || (key.kind !== 'text' && key.kind !== 'number' && key.kind !== 'bare')) return undefined
  const text = key.kind === 'text' ? JSON.stringify(key.value) : key.text
  return { edits: [{ span, text }] }
}

/** An identity as a value: the scalar of a single key, else the key as a record. */
export function identityValue(key: readonly CheckedArgument[]): CheckedValue | undefined {
  const [only] = key
  if (only && key.length === 1) return only.value
  return recordOf(key.map(({ slot, value }) => [slot.name, value] as const))
}
