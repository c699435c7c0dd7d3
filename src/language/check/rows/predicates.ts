import type { Fix } from '../../../base/diagnostic.ts'
import { fieldsOf, indexOf, parametersOf } from '../../../catalog/lookup.ts'
import type { Capability, Slot } from '../../../catalog/model.ts'
import { problem } from '../../problems.ts'
import type { Operator, Predicate } from '../../syntax/tree.ts'
import { brandsOf } from '../model/brands.ts'
import type { CheckedArgument, CheckedFilter, CheckedValue, Target } from '../model/checked.ts'
import { listed, nameAt, type Context } from '../model/context.ts'
import { nameOf } from '../model/resolve.ts'
import { entityRows, spotAt } from '../model/shape.ts'
import { fitsOperator, isAboutNull } from '../rules/comparison.ts'
import type { WrittenArgument } from '../rules/site.ts'
import { wantOf } from '../model/want.ts'
import type { Condition } from './conditions.ts'

/** The conditions split for a capability: those that it takes as parameters, and those applied to its rows. */
export interface Split {
  readonly arguments: readonly CheckedArgument[]
  readonly filters: readonly CheckedFilter[]
}

/** Parameters are sent; conditions on other fields are applied to the rows. None is dropped. */
export function splitConditions(
  context: Context,
  target: Target,
  capability: Capability | undefined,
  conditions: readonly Condition[],
): Split | undefined {
  const args: CheckedArgument[] = []
  const filters: CheckedFilter[] = []
  let wrong = false
  for (const condition of conditions) {
    const parameter =
      capability && isSent(target, condition) ? parametersOf(capability).get(condition.wire) : undefined
    const checked = parameter
      ? argumentOf(context, target, parameter, condition)
      : filterOf(context, target, condition)
    if (!checked) wrong = true
    else if ('slot' in checked) args.push(checked)
    else filters.push(checked)
  }
  return wrong ? undefined : { arguments: args, filters }
}

/** Null, and an operator that the API lacks, are compared with the field of the rows. */
export function isSent(target: Target, { predicate, wire }: Condition): boolean {
  if (predicate.field.names.length > 1) return false
  const isSendable = predicate.operator === '=' && !isAboutNull(predicate)
  return isSendable || !fieldsOf(target.entity).has(wire)
}

function argumentOf(
  context: Context,
  target: Target,
  slot: Slot,
  { predicate }: Condition,
): CheckedArgument | undefined {
  const { operator, span } = predicate
  if (operator !== '=') {
    const instead = alternatives(target, slot.name)
    const fix = isSaidByName(slot.name, operator) && withEquals(predicate)
    context.report(
      problem(
        'parameter_operator',
        { operator, name: slot.name, instead: listed(instead) },
        { span, nearest: instead, ...(fix && { fix }) },
      ),
    )
    return undefined
  }
  if (isAboutNull(predicate)) {
    const of = nameOf(context.scope, target)
    context.report(problem('null_condition', { name: slot.name, of }, { span }))
    return undefined
  }
  const value = valueOf(context, predicate, target, slot)
  return value && { slot, value }
}

/** Whether the parameter includes a comparison, as `joined_after` does. */
function isSaidByName(name: string, operator: Operator): boolean {
  if (operator === '>' || operator === '>=') return /(?:after|since|from|start|min|gte?)$/i.test(name)
  return (operator === '<' || operator === '<=') && /(?:before|until|to|end|max|lte?)$/i.test(name)
}

function withEquals({ field, value }: Predicate): Fix | undefined {
  return value && { edits: [{ span: { start: field.span.end, end: value.span.start }, text: '=' }] }
}

/** Related parameters: `price_min` for `price`. */
function alternatives(target: Target, name: string): readonly string[] {
  const all = indexOf(target.catalog).slotNamesOf(target.entity.name)
  const stem = name.toLowerCase().replace(/_(?:at|on|date|time)$/, '')
  return all.filter((other) => other !== name && other.toLowerCase().includes(stem)).slice(0, 4)
}

function filterOf(
  context: Context,
  target: Target,
  { predicate, wire }: Condition,
): CheckedFilter | undefined {
  const { names } = predicate.field
  const field = fieldsOf(target.entity).get(wire)
  if (!field) {
    const known = target.entity.fields.map((one) => one.name)
    const span = predicate.field.span
    context.report(
      problem(
        'unknown_predicate',
        { name: wire, of: nameOf(context.scope, target), known: listed(known) },
        nameAt(span, wire, known),
      ),
    )
    return undefined
  }
  const spot = spotAt(
    context,
    entityRows(target, 'one'),
    names.map((name, index) => (index === 0 ? { ...name, text: wire } : name)),
  )
  if (!spot) return undefined
  const slot: Slot = { ...field, type: spot.type, required: false, name: spot.path.join('.') }
  if (!fitsOperator(context, predicate, slot.name, spot.type)) return undefined
  const wanted = spot.type.kind === 'array' && predicate.operator === '~' ? spot.type.items : spot.type
  const value = valueOf(context, predicate, target, { ...slot, type: wanted })
  return value && { path: spot.path, operator: predicate.operator, type: wanted, value }
}

function valueOf(
  context: Context,
  predicate: Predicate,
  target: Target,
  slot: Slot,
): CheckedValue | undefined {
  if (!predicate.value) return { kind: 'literal', value: null }
  // `name~jan` matches a part, which need not be a valid value of the slot.
  const contains = predicate.operator === '~' && slot.type.kind !== 'reference'
  const type: Slot['type'] = contains ? { kind: 'string', semantics: 'short' } : slot.type
  return context.checkValue(context, predicate.value, {
    ...wantOf(target, slot),
    type,
    brands: brandsOf(target, slot),
  })
}

/** The conditions in the form that rules about calls take. */
export function asWritten(
  target: Target,
  conditions: readonly Condition[],
  capability: Capability,
): readonly WrittenArgument[] {
  return conditions.flatMap((condition) => {
    const { predicate, wire } = condition
    const [name] = predicate.field.names
    return parametersOf(capability).has(wire) &&
      name &&
      predicate.operator === '=' &&
      isSent(target, condition)
      ? [{ name, wire, value: predicate.value, span: predicate.span }]
      : []
  })
}
