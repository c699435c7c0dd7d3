import type { Fix } from '../../../../base/diagnostic.ts'
import { fieldsOf, indexOf, parametersOf } from '../../../../catalog/lookup.ts'
import type { Capability, Slot } from '../../../../catalog/model.ts'
import { problem } from '../../../problems.ts'
import type { Operator, Predicate } from '../../../syntax/tree.ts'
import { brandsOf } from '../../model/brands.ts'
import type { CheckedArgument, CheckedFilter, Target } from '../../model/checked.ts'
import { listed, nameAt, type Context } from '../../model/context.ts'
import { nameOf } from '../../model/resolve.ts'
import { entityRows, spotAt } from '../../model/shape.ts'
import { isAboutNull } from '../../rules/comparison.ts'
import { isEmbedded } from '../embedded.ts'
import { filterOn, isOneOf } from './filters.ts'
import type { WrittenArgument } from '../../rules/site.ts'
import { wantOf } from '../../model/want.ts'
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
      capability && isSent(target, condition, capability)
        ? parametersOf(capability).get(condition.wire)
        : undefined
    const checked = parameter
      ? argumentOf(context, target, parameter, condition)
      : filterOf(context, target, condition)
    if (!checked) wrong = true
    else if ('slot' in checked) args.push(checked)
    else filters.push(checked)
    const whole = parameter ? undefined : wholeOf(capability, condition)
    if (whole) args.push(whole)
  }
  return wrong ? undefined : { arguments: args, filters }
}

/** Null, an operator that the API lacks, and one of several values are compared with the field of the rows. */
export function isSent(target: Target, condition: Condition, capability?: Capability): boolean {
  const { predicate, wire } = condition
  if (predicate.field.names.length > 1) return false
  const field = fieldsOf(target.entity).get(wire)
  const sent = capability && parametersOf(capability).get(wire)?.type
  const isOptional = !isRequired(target, wire, capability)
  if (field && isOneOf(predicate, field.type) && isOptional && (!sent || isOneOf(predicate, sent)))
    return false
  const isSendable = predicate.operator === '=' && !isAboutNull(predicate)
  if (isAboutNull(predicate) && isEmbedded(target, wire)) return false
  return isSendable || !fieldsOf(target.entity).has(wire)
}

/** Whether the read cannot do without the parameter; of a read that is not chosen yet: whether some read cannot. */
function isRequired({ catalog, entity }: Target, wire: string, chosen?: Capability): boolean {
  const reads = chosen ? [chosen] : indexOf(catalog).capabilitiesOf(entity.name).filter(isRead)
  return reads.some((read) => parametersOf(read).get(wire)?.required === true)
}

function isRead({ kind }: Capability): boolean {
  return kind === 'query' || kind === 'search'
}

/** The option `all` of a parameter whose condition is applied to the rows: without it the API may leave some out. */
function wholeOf(
  capability: Capability | undefined,
  { predicate, wire }: Condition,
): CheckedArgument | undefined {
  const slot = capability && parametersOf(capability).get(wire)
  const options = slot?.type.kind === 'select' ? slot.type.options : []
  const all = options.find((option) => option === 'all' || option === 'any')
  if (!slot || all === undefined || predicate.field.names.length > 1) return undefined
  return { slot, value: { kind: 'literal', value: all } }
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
  const value =
    predicate.value &&
    context.checkValue(context, predicate.value, { ...wantOf(target, slot), brands: brandsOf(target, slot) })
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
  if (!fieldsOf(target.entity).has(wire) && !isEmbedded(target, wire)) {
    const known = target.entity.fields.map((one) => one.name)
    const span = predicate.field.span
    context.report(() =>
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
    'condition',
  )
  if (!spot) return undefined
  return filterOn(context, target, predicate, spot)
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
      isSent(target, condition, capability)
      ? [{ name, wire, value: predicate.value, span: predicate.span }]
      : []
  })
}
