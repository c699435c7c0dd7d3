import { fieldsOf } from '../../../catalog/lookup.ts'
import { describeType } from '../../../catalog/values/value.ts'
import { problem } from '../../problems.ts'
import type { Name, Segment } from '../../syntax/tree.ts'
import { checkCall } from './calls.ts'
import { idiomFix } from './idioms.ts'
import { kindFix } from './kinds.ts'
import type { CheckedNode, Rows, Target } from '../model/checked.ts'
import { kinAt, listed, nameAt, speakingOf, type Context, withReports } from '../model/context.ts'
import { getOf, isWalkable, methodsNamed, stepNames, type Method } from '../model/methods.ts'
import { checkRelation, exposedTarget, steppedRows } from './relations.ts'
import { nameOf, slotName, SYMBOL, wrongSymbol } from '../model/resolve.ts'
import { columnNames } from '../model/shape.ts'
import { CALL_RULES } from '../rules/index.ts'
import { refusesContent } from '../rules/content.ts'
import { refusesRowless, refusesRowlessWrite } from '../rules/rows.ts'
import { noQuery } from './select.ts'
import { OPERATORS } from './operators.ts'

type Step = Extract<Segment, { kind: 'step' }>

/** `.name` after rows: a query scoped by them, a relation, a reference field, or a method without arguments. */
export function checkStep(outer: Context, node: CheckedNode, step: Step): CheckedNode | undefined {
  const { target } = node.rows
  if (!target) return reportStep(outer, node, step)
  const context = speakingOf(outer, target)
  const wire = slotName(context.scope, step.name.text, target)
  const relation = target.entity.relations.find(
    (one) => one.name === wire && isWalkable(context, target, one),
  )
  if (relation)
    return refusesRowlessWrite(context, node)
      ? undefined
      : checkRelation(context, node, { from: target, relation }, step)
  const field = fieldsOf(target.entity).get(wire ?? '')
  if (field?.type.kind === 'reference')
    return refusesRowless(context, node)
      ? undefined
      : checkField(context, node, { from: target, field: field.name, to: field.type.entity }, step)
  const method = oneMethod(context, target, step.name)
  if (method === 'several') return undefined
  if (method) return callStep(context, node, method, step)
  if (field) {
    const of = nameOf(context.scope, target)
    const fix = asColumn(step.name)
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

/** `.name` written as `[name]`. */
function asColumn({ text, span }: Name) {
  return { edits: [{ span: { start: span.start - 1, end: span.end }, text: `[${text}]` }] }
}

/** `.tags.limit(3)`: the next step is meant for the items of the list. As a column the list would give it other rows, so that is no fix. */
export function withoutListAsColumn(
  context: Context,
  target: Target | undefined,
  step: Segment,
  next: Segment | undefined,
): Context {
  if (!target || !next || step.kind !== 'step') return context
  const wire = slotName(context.scope, step.name.text, target)
  if (fieldsOf(target.entity).get(wire ?? '')?.type.kind !== 'array') return context
  return withReports(context, ({ fix, ...found }) =>
    found.code === 'not_navigable' || !fix ? found : { ...found, fix },
  )
}

/** The method that the name refers to; `several` after reporting an ambiguous name. */
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

/** A method without parentheses is called without arguments. */
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
  const { name } = step
  if (name.text !== 'content' && !node.rows.target && columnNames(node.rows).includes(name.text)) {
    const type = 'a column'
    context.report(
      problem(
        'not_navigable',
        { name: name.text, of: 'these rows', type },
        { span: name.span, fix: asColumn(name) },
      ),
    )
    return
  }
  if (!refusesContent(context, node, step.name)) reportUnknownStep(context, node.rows, step)
}

/** The problem of an unknown name after a dot. */
export function reportUnknownStep(
  context: Context,
  rows: Rows,
  segment: Extract<Segment, { kind: 'step' | 'call' }>,
  alone = false,
): void {
  const { name } = segment
  const operator = OPERATORS.get(name.text)
  if (operator) {
    const called = `${name.text}(${operator.takesNothing ? '' : '…'})`
    const fix = { edits: [{ span: name.span, text: called }] }
    const place = { span: name.span, ...(operator.takesNothing && { fix }) }
    context.report(problem('operator_arguments', { operator: name.text, form: `.${called}` }, place))
    return
  }
  const { target } = rows
  const operators = segment.kind === 'call' ? [...OPERATORS.keys()] : []
  const known = [...(target ? stepNames(context, target, alone) : []), ...operators]
  const of = target ? nameOf(context.scope, target) : 'computed rows'
  const options = segment.kind === 'call' ? known : [...known, ...columnNames(rows)]
  if (SYMBOL.test(name.text))
    context.report(wrongSymbol(context.scope, name, `a relation, reference field or method of ${of}`))
  else {
    const place = (segment.kind === 'call' ? kinAt : nameAt)(name.span, name.text, options)
    const meant = place.fix?.edits[0]?.text
    const isColumn = meant !== undefined && !known.includes(meant) && segment.kind === 'step'
    const idiom = isColumn ? undefined : (idiomFix(segment) ?? kindFix(context, target, segment, alone))
    const fix = isColumn ? asColumn({ ...name, text: meant }) : (idiom ?? place.fix)
    const where = idiom ? { span: name.span } : place
    context.report(
      problem(
        'unknown_step',
        { name: name.text, of, known: listed(known) },
        { ...where, ...(fix && { fix }) },
      ),
    )
  }
}

interface ReferenceField {
  readonly from: Target
  readonly field: string
  /** The entity that the field refers to. */
  readonly to: string
}

function checkField(
  context: Context,
  source: CheckedNode,
  { from, field, to }: ReferenceField,
  step: Step,
): CheckedNode | undefined {
  const target = exposedTarget(context, from, to, step)
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
  const supplied = new Set([...target.entity.key, 'id', ...get.parameters.map(({ name }) => name)])
  const { name, span } = step
  for (const rule of CALL_RULES) rule({ context, target, capability: get, name, written: [], supplied, span })
  return {
    kind: 'reference',
    source,
    field,
    rows: steppedRows(source.rows, target, false),
    span: step.span,
  }
}
