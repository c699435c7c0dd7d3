import type { Fix } from '../../../../base/diagnostic.ts'
import { fieldsOf, parametersOf } from '../../../../catalog/lookup.ts'
import type { Capability } from '../../../../catalog/model.ts'
import { problem } from '../../../problems.ts'
import type { Name, Predicate } from '../../../syntax/tree.ts'
import type { Target } from '../../model/checked.ts'
import { kinAt, listed, type Context } from '../../model/context.ts'
import { capabilitiesOf, nameOf, slotName, SYMBOL, wrongSymbol } from '../../model/resolve.ts'
import { type Braces, misplacedFix } from '../misplaced.ts'
import { isAboutNull } from '../../rules/comparison.ts'
import { isEmbedded } from '../embedded.ts'

/** A condition whose first name is resolved. */
export interface Condition {
  readonly predicate: Predicate
  readonly wire: string
}

/** The conditions in braces with their wire names: fields of the entity or parameters of its queries. */
export function resolveConditions(
  context: Context,
  target: Target,
  braces: Braces,
  extra: readonly Capability[] = [],
): readonly Condition[] | undefined {
  const { predicates } = braces
  const conditions: Condition[] = []
  for (const predicate of predicates) {
    const [name] = predicate.field.names
    const wire =
      name &&
      (bridgeName(target, predicate) ?? conditionName(context, target, { predicate, name, braces }, extra))
    const condition = wire === undefined ? undefined : { predicate, wire }
    if (condition && conditions.some((other) => isSame(other, condition)))
      context.report(problem('duplicate_argument', { name: name?.text ?? '' }, { span: predicate.span }))
    else if (condition) conditions.push(condition)
  }
  return conditions.length === predicates.length ? conditions : undefined
}

/** Two `=` conditions on one field conflict. */
function isSame(a: Condition, b: Condition): boolean {
  const rest = ({ predicate }: Condition) =>
    predicate.field.names
      .slice(1)
      .map(({ text }) => text)
      .join('.')
  return (
    a.predicate.operator === '=' && b.predicate.operator === '=' && a.wire === b.wire && rest(a) === rest(b)
  )
}

/**
 * `pet.status` where the field is `petId` or `pet_id`, or refers to a Pet: the first name of such a condition may be the
 * entity's, or the field's without its ending.
 */
function bridgeName({ entity }: Target, { field: { names } }: Predicate): string | undefined {
  const [first, second] = names
  if (!first || !second || fieldsOf(entity).has(first.text)) return undefined
  const word = first.text.toLowerCase()
  const bridges = entity.fields.filter(
    ({ name, type }) =>
      type.kind === 'reference' &&
      (name.toLowerCase().replace(/_?id$/, '') === word || type.entity.toLowerCase() === word),
  )
  return bridges.length === 1 ? bridges[0]?.name : undefined
}

interface Written {
  readonly predicate: Predicate
  readonly name: Name
  readonly braces: Braces
}

function conditionName(
  context: Context,
  target: Target,
  { predicate, name, braces }: Written,
  extra: readonly Capability[],
): string | undefined {
  const wire = slotName(context.scope, name.text, target)
  if (wire !== undefined && fieldsOf(target.entity).has(wire)) return wire
  const isInside = predicate.field.names.length > 1 || isAboutNull(predicate)
  if (wire !== undefined && isInside && isEmbedded(target, wire)) return wire
  const capabilities = [...capabilitiesOf(context.scope, target).filter(isRead), ...extra]
  const isParameter = (one: string) => capabilities.some((capability) => parametersOf(capability).has(one))
  if (wire !== undefined && (isParameter(wire) || isEmbedded(target, wire))) return wire
  if (wire === 'id' && target.entity.key.length === 1) return target.entity.key[0]
  const slots = [...capabilities.flatMap(({ parameters }) => parameters), ...target.entity.fields]
  const known = [...new Set(slots.map((slot) => slot.name))]
  const of = nameOf(context.scope, target)
  if (wire === undefined || (SYMBOL.test(name.text) && !known.includes(name.text))) {
    context.report(wrongSymbol(context.scope, name, `a field or parameter of ${of}`))
  } else {
    context.report(() => {
      const fix = misplacedFix(target, predicate, braces) ?? ofRelation(target, name)
      // An id of something else is no misspelt id of this.
      const others = known.filter((one) => one !== target.entity.key[0] || !/_id$|[a-z]Id$/.test(name.text))
      const place = fix ? { span: name.span, fix } : kinAt(name.span, name.text, others)
      return problem('unknown_predicate', { name: name.text, of, known: listed(known) }, place)
    })
  }
  return undefined
}

/** `user_id`, where the rows hold a `user`. */
function ofRelation(target: Target, { text, span }: Name): Fix | undefined {
  const stem = text.replace(/_id$|(?<=[a-z])Id$/, '')
  const isHeld = isEmbedded(target, stem) || fieldsOf(target.entity).get(stem)?.type.kind === 'reference'
  return stem !== text && isHeld ? { edits: [{ span, text: stem }] } : undefined
}

function isRead(capability: Capability): boolean {
  return capability.kind === 'query' || capability.kind === 'search'
}
