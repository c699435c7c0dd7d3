import type { Fix, Span } from '../../../base/diagnostic.ts'
import { fieldsOf, indexOf, parametersOf } from '../../../catalog/lookup.ts'
import type { Capability, Slot } from '../../../catalog/model.ts'
import { problem } from '../../problems.ts'
import type { Expression, Name, Operator, Predicate } from '../../syntax/tree.ts'
import { brandsOf } from '../model/brands.ts'
import type { CheckedArgument, CheckedFilter, CheckedNode, CheckedValue, Target } from '../model/checked.ts'
import { listed, nameAt, speakingOf, type Context } from '../model/context.ts'
import { getOf } from '../values/identity.ts'
import { capabilitiesOf, nameOf, slotName, SYMBOL, wrongSymbol } from '../model/resolve.ts'
import { entityRows, spotAt } from '../model/shape.ts'
import { CALL_RULES } from '../rules/index.ts'
import { fitsOperator } from '../rules/operators.ts'
import { selectQuery } from './select.ts'
import type { WrittenArgument } from '../rules/site.ts'
import { wantOf } from '../model/want.ts'

/** A condition whose first name is resolved. */
export interface Condition {
  readonly predicate: Predicate
  readonly wire: string
}

/** The conditions in braces with their wire names: fields of the entity or parameters of its queries. */
export function resolveConditions(
  context: Context,
  target: Target,
  predicates: readonly Predicate[],
  extra: readonly Capability[] = [],
): readonly Condition[] | undefined {
  const conditions: Condition[] = []
  for (const predicate of predicates) {
    const [name] = predicate.field.names
    const wire = name && (bridgeName(target, predicate) ?? conditionName(context, target, name, extra))
    const condition = wire === undefined ? undefined : { predicate, wire }
    if (condition && conditions.some((other) => isSame(other, condition)))
      context.report(problem('duplicate_argument', { name: name?.text ?? '' }, { span: predicate.span }))
    else if (condition) conditions.push(condition)
  }
  return conditions.length === predicates.length ? conditions : undefined
}

/** Nothing equals two values: of two conditions with `=` on one place, one is a mistake. */
function isSame(a: Condition, b: Condition): boolean {
  const rest = ({ predicate }: Condition) =>
    predicate.field.names
      .slice(1)
      .map(({ text }) => text)
      .join('.')
  return (
    a.wire === b.wire && rest(a) === rest(b) && [a, b].every(({ predicate }) => predicate.operator === '=')
  )
}

/**
 * `pet.status` where the field is `petId` or `pet_id`, or refers to a Pet: the first name of a condition on another entity may
 * be that of the entity, or the field's without its ending.
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

function conditionName(
  context: Context,
  target: Target,
  name: Name,
  extra: readonly Capability[],
): string | undefined {
  const wire = slotName(context.scope, name.text, target)
  if (wire !== undefined && fieldsOf(target.entity).has(wire)) return wire
  const capabilities = [...capabilitiesOf(context.scope, target).filter(isRead), ...extra]
  const isParameter = (one: string) => capabilities.some((capability) => parametersOf(capability).has(one))
  if (wire !== undefined && isParameter(wire)) return wire
  if (wire === 'id' && target.entity.key.length === 1) return target.entity.key[0]
  const slots = [...capabilities.flatMap(({ parameters }) => parameters), ...target.entity.fields]
  const known = [...new Set(slots.map((slot) => slot.name))]
  const of = nameOf(context.scope, target)
  if (wire === undefined || (SYMBOL.test(name.text) && !known.includes(name.text))) {
    context.report(wrongSymbol(context.scope, name, `a field or parameter of ${of}`))
  } else {
    context.report(
      problem(
        'unknown_predicate',
        { name: name.text, of, known: listed(known) },
        nameAt(name.span, name.text, known),
      ),
    )
  }
  return undefined
}

function isRead(capability: Capability): boolean {
  return capability.kind === 'query' || capability.kind === 'search'
}

/** What conditions come to for a capability: what it is asked, and what is left to be applied to its rows. */
export interface Split {
  readonly arguments: readonly CheckedArgument[]
  readonly filters: readonly CheckedFilter[]
}

/** Parameters are sent, conditions on fields that no parameter takes are applied to the rows; nothing is dropped. */
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

/** An operator that the API does not know still works on a field of the rows. */
function isSent(target: Target, { predicate, wire }: Condition): boolean {
  if (predicate.field.names.length > 1) return false
  return predicate.operator === '=' || !fieldsOf(target.entity).has(wire)
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
  const value = valueOf(context, predicate, target, slot)
  return value && { slot, value }
}

/** Does the parameter compare by itself, as `joined_after` does? */
function isSaidByName(name: string, operator: Operator): boolean {
  if (operator === '>' || operator === '>=') return /(?:after|since|from|start|min|gte?)$/i.test(name)
  return (operator === '<' || operator === '<=') && /(?:before|until|to|end|max|lte?)$/i.test(name)
}

function withEquals({ field, value }: Predicate): Fix | undefined {
  return value && { edits: [{ span: { start: field.span.end, end: value.span.start }, text: '=' }] }
}

/** Parameters that speak of the same thing in another way: `price_min` for `price`. */
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
  // `name~jan` looks for a part: the part alone need not be a whole value of the slot.
  const contains = predicate.operator === '~' && slot.type.kind !== 'reference'
  const type: Slot['type'] = contains ? { kind: 'string', semantics: 'short' } : slot.type
  return context.checkValue(context, predicate.value, {
    ...wantOf(target, slot),
    type,
    brands: brandsOf(target, slot),
  })
}

/** The conditions as the rules about calls see them. */
export function asWritten(
  conditions: readonly Condition[],
  capability: Capability,
): readonly WrittenArgument[] {
  return conditions.flatMap(({ predicate, wire }) => {
    const [name] = predicate.field.names
    return parametersOf(capability).has(wire) &&
      name &&
      predicate.field.names.length === 1 &&
      predicate.operator === '='
      ? [{ name, wire, value: predicate.value, span: predicate.span }]
      : []
  })
}

/** `e3{…}`: the query that fits the conditions best. */
export function checkQuery(
  outer: Context,
  target: Target,
  predicates: readonly Predicate[],
  name: Name,
  span: Span,
): CheckedNode | undefined {
  const context = speakingOf(outer, target)
  const conditions = resolveConditions(context, target, predicates)
  if (!conditions) return undefined
  const get = getByKey(context, target, conditions)
  if (get) return context.checkExpression(context, rowsExpression(get, name, span))
  const sent = conditions.filter((condition) => isSent(target, condition)).map(({ wire }) => wire)
  const selected = selectQuery(context, target, { names: new Set(sent), supplied: new Set() }, name.span)
  if ('problem' in selected) {
    context.report(selected.problem)
    return undefined
  }
  const { capability } = selected
  const inside = speakingOf(outer, target, capability)
  const written = asWritten(conditions, capability)
  for (const rule of CALL_RULES)
    rule({ context: inside, target, capability, name, written, supplied: new Set(), span })
  const split = splitConditions(inside, target, capability, conditions)
  return split && { kind: 'query', capability, ...split, rows: entityRows(target, 'many'), span }
}

/** `e3{id=4}`, nothing else, is the get: unless a query takes the id itself. */
function getByKey(context: Context, target: Target, conditions: readonly Condition[]): Condition | undefined {
  const [only, second] = conditions
  const isKey = only && !second && target.entity.key.length === 1 && only.wire === target.entity.key[0]
  if (
    !isKey ||
    only.predicate.operator !== '=' ||
    !only.predicate.value ||
    only.predicate.field.names.length > 1
  )
    return undefined
  const taken = capabilitiesOf(context.scope, target).some(
    (capability) => capability.kind === 'query' && parametersOf(capability).has(only.wire),
  )
  return taken || !getOf(context, target) ? undefined : only
}

function rowsExpression({ predicate }: Condition, entity: Name, span: Span): Expression {
  const positional = predicate.value ? [predicate.value] : []
  const head = {
    kind: 'get',
    entity,
    arguments: { positional, named: [], span: predicate.span },
    span,
  } as const
  return { kind: 'rows', head, segments: [], span }
}
