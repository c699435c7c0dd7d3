import { indexOf, requiredOf } from '../../../catalog/lookup.ts'
import type { Capability, Relation } from '../../../catalog/model.ts'
import { problem } from '../../problems.ts'
import type { Segment } from '../../syntax/tree.ts'
import { baseOf } from '../model/base.ts'
import type { CheckedArgument, CheckedFilter, CheckedNode, Rows, Target } from '../model/checked.ts'
import { listed, type Context } from '../model/context.ts'
import { stepNames } from '../model/methods.ts'
import { resolveConditions } from './conditions/conditions.ts'
import { asWritten, splitConditions } from './conditions/predicates.ts'
import { identityValue } from '../values/references.ts'
import { capabilitiesOf, entityIn, isVisible, nameOf, symbolOf } from '../model/resolve.ts'
import { entityRows } from '../model/shape.ts'
import { refusesUnfetched } from '../values/fetched.ts'
import { CALL_RULES } from '../rules/index.ts'
import { isSupported } from '../rules/supported.ts'

type Step = Extract<Segment, { kind: 'step' }>

/** Rows of the target along a step from the source. */
export function steppedRows(source: Rows, target: Target, many: boolean): Rows {
  return many ? entityRows(target, 'many') : entityRows(target, source.shape, source.single)
}

/** The target of a step, if the session has it. */
export function exposedTarget(
  context: Context,
  from: Target,
  entity: string,
  step: Step,
): Target | undefined {
  const target = entityIn(from.catalog, from.digest, entity)
  if (!target || !isVisible(context.scope, target)) {
    const known = stepNames(context, from).filter((name) => name !== step.name.text)
    const of = nameOf(context.scope, from)
    context.report(
      problem('unknown_step', { name: step.name.text, of, known: listed(known) }, { span: step.name.span }),
    )
    return undefined
  }
  // An abstract entity has no symbol: it is reached only through this step.
  if (target.entity.abstract || context.scope.space.exposureOf(from.catalog.id, entity)) return target
  const place = { span: step.name.span }
  context.report(
    problem('target_not_exposed', { name: step.name.text, target: entity, catalog: from.catalog.id }, place),
  )
  return undefined
}

/** Follows a declared relation with conditions: parameters of its query are sent, the others are applied to the rows. */
export function checkRelation(
  context: Context,
  source: CheckedNode,
  { from, relation }: { readonly from: Target; readonly relation: Relation },
  step: Step,
): CheckedNode | undefined {
  const target = exposedTarget(context, from, relation.target, step)
  if (!target) return undefined
  const { via } = relation
  if (via.kind === 'none') {
    const name = { name: relation.name, of: nameOf(context.scope, from) }
    context.report(
      problem(
        'relation_not_walkable',
        { ...name, instead: insteadOf(context, from, target) },
        { span: step.name.span },
      ),
    )
    return undefined
  }
  const capability =
    'capability' in via ? indexOf(target.catalog).capabilities.get(via.capability) : undefined
  const conditions = resolveConditions(
    context,
    target,
    { predicates: step.predicates ?? [], end: step.span.end },
    capability ? [capability] : [],
  )
  if (!conditions) return undefined
  const bound = new Set('bindings' in via ? via.bindings.map((binding) => binding.parameter) : [])
  const again = conditions.find(
    ({ wire, predicate }) =>
      bound.has(wire) && predicate.operator === '=' && predicate.field.names.length === 1,
  )
  if (again) {
    context.report(problem('duplicate_argument', { name: again.wire }, { span: again.predicate.span }))
    return undefined
  }
  if (capability) {
    const written = asWritten(target, conditions, capability)
    const supplied = new Set([...bound, ...(capability.kind === 'get' ? [...target.entity.key, 'id'] : [])])
    for (const rule of CALL_RULES)
      rule({ context, target, capability, name: step.name, written, supplied, span: step.span })
  }
  const asked = capability && capability.kind !== 'get' ? capability : undefined
  const split = splitConditions(context, target, asked, conditions)
  if (baseOf(source).kind === 'identity')
    return split && ofIdentity(context, source, { capability: asked, via, target, step, ...split })
  return (
    split && {
      kind: 'relation',
      source,
      relation,
      ...split,
      rows: steppedRows(source.rows, target, relation.many),
      span: step.span,
    }
  )
}

interface Asked {
  readonly capability: Capability | undefined
  readonly via: Relation['via']
  readonly target: Target
  readonly step: Step
  readonly arguments: readonly CheckedArgument[]
  readonly filters: readonly CheckedFilter[]
}

/** If the source cannot be fetched, its key is enough for the relation's query. */
function ofIdentity(context: Context, source: CheckedNode, asked: Asked): CheckedNode | undefined {
  const base = baseOf(source)
  const { capability, via, target, step, filters } = asked
  if (base.kind !== 'identity') return undefined
  const bound = ('bindings' in via ? via.bindings : []).map(({ parameter, field }) => {
    const slot = capability?.parameters.find((one) => one.name === parameter)
    const value =
      field === undefined
        ? identityValue(base.identity)
        : base.identity.find((part) => part.slot.name === field)?.value
    return slot && value && { slot, value }
  })
  const args = bound.filter((argument) => argument !== undefined)
  if (!capability || args.length < bound.length) {
    refusesUnfetched(context, source)
    return undefined
  }
  return {
    kind: 'query',
    capability,
    arguments: [...args, ...asked.arguments],
    filters,
    rows: entityRows(target, 'many'),
    span: step.span,
  }
}

/** Other ways to read the target's rows. */
function insteadOf(context: Context, from: Target, target: Target): string {
  const symbol = symbolOf(context.scope, target)
  for (const capability of capabilitiesOf(context.scope, target)) {
    const parameter = capability.parameters.find(
      ({ type }) => type.kind === 'reference' && type.entity === from.entity.name,
    )
    if (capability.kind === 'query' && parameter)
      return `Ask for them: ${symbol}{${parameter.name}=${symbolOf(context.scope, from)}(id)}`
  }
  return `Read ${nameOf(context.scope, target)} by its own queries`
}

/** `.^Order{…}`: the rows of another entity that refer to these. */
export function checkReverse(
  context: Context,
  source: CheckedNode,
  target: Target,
  segment: Extract<Segment, { kind: 'reverse' }>,
): CheckedNode | undefined {
  const from = source.rows.target
  const found = from && reverseQuery(context, from, target)
  if (!found) {
    const names = { from: from?.entity.name ?? 'computed rows', to: target.entity.name }
    context.report(problem('no_reverse', names, { span: segment.entity.span }))
    return undefined
  }
  const { capability, parameter } = found
  const conditions = resolveConditions(context, target, {
    predicates: segment.predicates,
    end: segment.span.end,
  })
  if (!conditions) return undefined
  const written = asWritten(target, conditions, capability)
  const supplied = new Set([parameter])
  for (const rule of CALL_RULES)
    rule({ context, target, capability, name: segment.entity, written, supplied, span: segment.span })
  const split = splitConditions(context, target, capability, conditions)
  return (
    split && {
      kind: 'reverse',
      source,
      capability,
      parameter,
      ...split,
      rows: entityRows(target, 'many'),
      span: segment.span,
    }
  )
}

function reverseQuery(
  context: Context,
  from: Target,
  to: Target,
): { readonly capability: Capability; readonly parameter: string } | undefined {
  if (from.catalog.id !== to.catalog.id) return undefined
  for (const capability of capabilitiesOf(context.scope, to)) {
    if (capability.kind !== 'query') continue
    const parameter = capability.parameters.find(
      ({ type }) => type.kind === 'reference' && type.entity === from.entity.name,
    )
    if (parameter) return { capability, parameter: parameter.name }
  }
  // Without such a parameter the query reads all rows and keeps those whose field refers to one of these.
  const field = to.entity.fields.find(
    ({ type }) => type.kind === 'reference' && type.entity === from.entity.name,
  )
  const list = capabilitiesOf(context.scope, to).find(
    (capability) =>
      capability.kind === 'query' && isSupported(capability) && requiredOf(capability).length === 0,
  )
  return field && list && { capability: list, parameter: field.name }
}
