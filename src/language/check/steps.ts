import { indexOf } from '../../catalog/lookup.ts'
import type { Capability, Field, Relation } from '../../catalog/model.ts'
import { describeType } from '../../catalog/value.ts'
import { problem } from '../problems.ts'
import type { Name, Segment } from '../syntax/tree.ts'
import { checkCall } from './calls.ts'
import type { CheckedNode, Rows, Target } from './checked.ts'
import { listed, nameAt, type Context } from './context.ts'
import { getOf } from './identity.ts'
import { methodsNamed, stepNames, type Method } from './methods.ts'
import { asWritten, resolveConditions, splitConditions } from './predicates.ts'
import {
  capabilitiesOf,
  entityIn,
  isVisible,
  nameOf,
  slotName,
  symbolOf,
  SYMBOL,
  wrongSymbol,
} from './resolve.ts'
import { columnNames, entityRows } from './rows.ts'
import { CALL_RULES } from './rules/index.ts'
import { isContent } from './rules/content.ts'
import { noQuery } from './select.ts'

type Step = Extract<Segment, { kind: 'step' }>

/** `.name` after rows: a query scoped by them, a relation, a reference field, or a method without arguments. */
export function checkStep(context: Context, node: CheckedNode, step: Step): CheckedNode | undefined {
  const { target } = node.rows
  if (!target) return reportStep(context, node, step)
  const wire = slotName(context.scope, step.name.text, [target])
  const relation = target.entity.relations.find((one) => one.name === wire)
  if (relation) return checkRelation(context, node, target, relation, step)
  const field = target.entity.fields.find((one) => one.name === wire)
  if (field?.type.kind === 'reference')
    return checkField(context, node, target, field, field.type.entity, step)
  const method = oneMethod(context, target, step.name)
  if (method === 'several') return undefined
  if (method) return callStep(context, node, method, step)
  if (field) {
    const of = nameOf(context.scope, target)
    const span = { start: step.name.span.start - 1, end: step.name.span.end }
    const fix = { edits: [{ span, text: `[${step.name.text}]` }] }
    context.report(
      problem(
        'not_navigable',
        { name: step.name.text, of, type: describeType(field.type) },
        { span: step.name.span, fix },
      ),
    )
    return undefined
  }
  return reportStep(context, node, step)
}

/** The one method that the name means; `several` where a problem has been told. */
export function oneMethod(context: Context, target: Target, name: Name): Method | 'several' | undefined {
  const methods = methodsNamed(context, target, name)
  if (methods.length < 2) return methods[0]
  const options = methods.map(({ capability }) => capability.name)
  context.report(
    problem(
      'ambiguous_method',
      { name: name.text, of: nameOf(context.scope, target), options },
      { span: name.span, nearest: options },
    ),
  )
  return 'several'
}

/** A method named without parentheses: as with empty ones. */
export function callStep(
  context: Context,
  receiver: CheckedNode | undefined,
  method: Method,
  step: Step,
): CheckedNode | undefined {
  if (step.predicates && step.predicates.length > 0) {
    context.report(problem('takes_no_predicates', { name: step.name.text }, { span: step.span }))
    return undefined
  }
  const args = { positional: [], named: [], span: step.name.span }
  return checkCall(context, {
    method,
    ...(receiver && { receiver }),
    arguments: args,
    name: step.name,
    span: step.span,
  })
}

function reportStep(context: Context, node: CheckedNode, step: Step): undefined {
  if (!isContent(context, node, step.name)) reportUnknownStep(context, node.rows, step.name)
}

/** The problem of a name after a dot that leads nowhere. */
export function reportUnknownStep(
  context: Context,
  rows: Rows,
  name: Name,
  operators: readonly string[] = [],
): void {
  const { target } = rows
  const known = [...(target ? stepNames(context, target) : []), ...operators]
  const of = target ? nameOf(context.scope, target) : 'computed rows'
  const options = target ? known : [...known, ...columnNames(rows)]
  if (SYMBOL.test(name.text))
    context.report(wrongSymbol(context.scope, name, `a relation, reference field or method of ${of}`))
  else
    context.report(
      problem(
        'unknown_step',
        { name: name.text, of, known: listed(known) },
        nameAt(name.span, name.text, options),
      ),
    )
}

/** Rows of the target along a step from the source. */
function steppedRows(source: Rows, target: Target, many: boolean): Rows {
  return many ? entityRows(target, 'many') : entityRows(target, source.shape, source.single)
}

function exposedTarget(context: Context, from: Target, entity: string, step: Step): Target | undefined {
  const target = entityIn(from.catalog, from.digest, entity)
  if (!target || !isVisible(context.scope, target)) {
    const known = stepNames(context, from).filter((name) => name !== step.name.text)
    const of = nameOf(context.scope, from)
    context.report(
      problem('unknown_step', { name: step.name.text, of, known: listed(known) }, { span: step.name.span }),
    )
    return undefined
  }
  // An abstract entity has no symbol of its own: it is only ever reached like this.
  if (target.entity.abstract || context.scope.space.exposureOf(from.catalog.id, entity)) return target
  const place = { span: step.name.span }
  context.report(
    problem('target_not_exposed', { name: step.name.text, target: entity, catalog: from.catalog.id }, place),
  )
  return undefined
}

function checkField(
  context: Context,
  source: CheckedNode,
  from: Target,
  field: Field,
  entity: string,
  step: Step,
): CheckedNode | undefined {
  const target = exposedTarget(context, from, entity, step)
  if (!target) return undefined
  if (step.predicates && step.predicates.length > 0) {
    context.report(problem('takes_no_predicates', { name: step.name.text }, { span: step.span }))
    return undefined
  }
  const get = getOf(context, target)
  if (!get) {
    context.report(noQuery(context, target, step.name.span, 'fetched by its id'))
    return undefined
  }
  ruleCheck(
    context,
    target,
    get,
    step,
    new Set([...target.entity.key, 'id', ...get.parameters.map(({ name }) => name)]),
  )
  return {
    kind: 'reference',
    source,
    field: field.name,
    rows: steppedRows(source.rows, target, false),
    span: step.span,
  }
}

function ruleCheck(
  context: Context,
  target: Target,
  capability: Capability,
  step: Step,
  supplied: ReadonlySet<string>,
): void {
  for (const rule of CALL_RULES)
    rule({ context, target, capability, name: step.name, written: [], supplied, span: step.span })
}

function checkRelation(
  context: Context,
  source: CheckedNode,
  from: Target,
  relation: Relation,
  step: Step,
): CheckedNode | undefined {
  const target = exposedTarget(context, from, relation.target, step)
  if (!target) return undefined
  if (relation.via.kind === 'none') {
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
  const capability = viaCapability(context, relation, target)
  if (capability === 'hidden') return reportStep(context, source, step)
  const conditions = resolveConditions(context, target, step.predicates ?? [], capability ? [capability] : [])
  if (!conditions) return undefined
  const bound = new Set(
    'bindings' in relation.via ? relation.via.bindings.map((binding) => binding.parameter) : [],
  )
  const again = conditions.find(({ wire, predicate }) => bound.has(wire) && predicate.operator === '=')
  if (again) {
    context.report(problem('duplicate_argument', { name: again.wire }, { span: again.predicate.span }))
    return undefined
  }
  if (capability) {
    const written = asWritten(conditions, capability)
    const supplied = new Set([...bound, ...(capability.kind === 'get' ? [...target.entity.key, 'id'] : [])])
    for (const rule of CALL_RULES)
      rule({ context, target, capability, name: step.name, written, supplied, span: step.span })
  }
  const asked = capability && capability.kind !== 'get' ? capability : undefined
  const split = splitConditions(context, target, asked, conditions)
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

function viaCapability(
  context: Context,
  relation: Relation,
  target: Target,
): Capability | 'hidden' | undefined {
  const { via } = relation
  if (via.kind !== 'query' && via.kind !== 'get') return undefined
  const capability = indexOf(target.catalog).capabilities.get(via.capability)
  return capability && context.scope.allows(target.catalog.id, capability.name) ? capability : 'hidden'
}

/** How else the target's rows could be had. */
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
  const conditions = resolveConditions(context, target, segment.predicates)
  if (!conditions) return undefined
  const written = asWritten(conditions, capability)
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
  return undefined
}
