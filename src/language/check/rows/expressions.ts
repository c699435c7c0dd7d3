import type { Span } from '../../../base/diagnostic.ts'
import { problem } from '../../problems.ts'
import type { Expression, Head, Name, Segment } from '../../syntax/tree.ts'
import { checkCall } from './calls.ts'
import type { CheckedNode, Target } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { checkEach } from './each.ts'
import { checkGet, checkPage, checkSearch, searchNamed } from './heads.ts'
import { checkData } from './data.ts'
import { offeringColumns } from './embedded.ts'
import { checkProject, OPERATORS } from './operators.ts'
import { reportUnpaged } from './page-size.ts'
import { checkQuery } from './queries.ts'
import { isCatalogName, lookUpEntity, resolveEntity, slotName } from '../model/resolve.ts'
import { entityRows } from '../model/shape.ts'
import { takesIdentity } from '../model/methods.ts'
import { splitGroup } from './idioms.ts'
import { refusesWrite } from '../rules/reads.ts'
import { refusesRowless } from '../rules/rows.ts'
import { checkNarrowed } from './conditions/narrowed.ts'
import { checkReverse } from './relations.ts'
import { refusesCalledSlot } from './called-slot.ts'
import { callStep, checkStep, oneMethod, reportUnknownStep, withoutListAsColumn } from './steps.ts'
import { checkTemplate } from './templates.ts'

/** The state of an expression: rows, or an entity without a step. */
type State =
  | { readonly kind: 'node'; readonly node: CheckedNode }
  | { readonly kind: 'entity'; readonly target: Target; readonly name: Name }

/** An expression with every name resolved; undefined after reporting a problem. */
export function checkExpression(context: Context, expression: Expression): CheckedNode | undefined {
  switch (expression.kind) {
    case 'rows':
      return checkRows(context, expression.head, expression.segments, expression.span)
    case 'each':
      return checkEach(context, expression)
    case 'literal':
      return checkData(context, expression.value)
  }
}

function checkRows(
  context: Context,
  written: Head,
  segmentsWritten: readonly Segment[],
  span: Span,
): CheckedNode | undefined {
  const [head, segments] = unqualified(context, written, segmentsWritten)
  const split = splitGroup(segments)
  if (split) {
    context.report(
      problem('operator_arguments', { operator: 'group_by', form: '.group_by(field, n=count)' }, split),
    )
    return undefined
  }
  let state = checkHead(context, head)
  for (const [index, segment] of segments.entries()) {
    if (!state) return undefined
    const target = state.kind === 'node' ? state.node.rows.target : state.target
    const before = state
    const next = segments[index + 1]
    const fixing = withoutListAsColumn(offeringColumns(context, target, segment, next), target, segment, next)
    state = apply(fixing, state, segment)
    if (before.kind === 'node' && state?.kind === 'node') reportUnpaged(context, before.node, state.node.kind)
  }
  const node = state && rowsIn(context, state, segments.length === 0)
  return node && { ...node, span }
}

/** `shop.Order{…}` parses as steps of `shop`: if that is a catalog, the two names are joined. */
function unqualified(
  context: Context,
  head: Head,
  segments: readonly Segment[],
): readonly [Head, readonly Segment[]] {
  const [first, ...rest] = segments
  if (head.kind !== 'name' || !first || context.labels.has(head.name.text)) return [head, segments]
  if (
    lookUpEntity(context.scope, head.name.text).kind === 'found' ||
    !isCatalogName(context.scope, head.name.text)
  )
    return [head, segments]
  if (first.kind !== 'step' && first.kind !== 'call') return [head, segments]
  const span = { start: head.span.start, end: first.span.end }
  const entity = {
    text: `${head.name.text}.${first.name.text}`,
    span: { start: head.span.start, end: first.name.span.end },
  }
  if (first.kind === 'call') return [{ kind: 'get', entity, arguments: first.arguments, span }, rest]
  if (!first.predicates) return [{ kind: 'name', name: entity, span }, rest]
  return [{ kind: 'query', entity, predicates: first.predicates, span }, rest]
}

function checkHead(context: Context, head: Head): State | undefined {
  switch (head.kind) {
    case 'name':
      return namedHead(context, head.name)
    case 'get':
      return asState(checkGet(context, head))
    case 'query': {
      const bound = context.labels.get(head.entity.text)
      if (bound) return asState(checkNarrowed(context, labelNode(head.entity, bound), head))
      if (bound === null) return undefined
      const target = resolveEntity(context, head.entity)
      return asState(target && checkQuery(context, target, head))
    }
    case 'search':
      return asState(checkSearch(context, head))
    case 'page':
      return asState(checkPage(context, head))
    case 'cursor':
      if (context.cursor) return asState({ kind: 'cursor', rows: context.cursor, span: head.span })
      context.report(problem('cursor_outside', {}, { span: head.span }))
      return undefined
  }
}

function labelNode(name: Name, node: CheckedNode): CheckedNode {
  return { kind: 'label', label: name.text, node, rows: node.rows, span: name.span }
}

function asState(node: CheckedNode | undefined): State | undefined {
  return node && { kind: 'node', node }
}

function namedHead(context: Context, name: Name): State | undefined {
  const bound = context.labels.get(name.text)
  if (bound === null) return undefined
  if (bound) return asState(labelNode(name, bound))
  if (lookUpEntity(context.scope, name.text).kind !== 'found' && context.allLabels.has(name.text)) {
    context.report(problem('forward_reference', { label: name.text }, { span: name.span }))
    return undefined
  }
  const target = resolveEntity(context, name, context.labels.keys())
  return target && { kind: 'entity', target, name }
}

/** The rows of a state: an entity without a step means all its rows. */
function rowsIn(context: Context, state: State, alone = false): CheckedNode | undefined {
  if (state.kind === 'node') return state.node
  const { target, name } = state
  // The first row of a table may be only an entity.
  if (context.teaching && alone) {
    return {
      kind: 'data',
      value: { kind: 'literal', value: [] },
      rows: entityRows(target, 'many'),
      span: name.span,
    }
  }
  return checkQuery(context, target, { entity: name, predicates: [], span: name.span })
}

function apply(context: Context, state: State, segment: Segment): State | undefined {
  if (segment.kind === 'call') return asState(applyCall(context, state, segment))
  if (segment.kind === 'step' && state.kind === 'entity') return asState(entityStep(context, state, segment))
  const node = rowsIn(context, state)
  if (!node) return undefined
  switch (segment.kind) {
    case 'step':
      return asState(checkStep(context, node, segment))
    case 'reverse': {
      const target = resolveEntity(context, segment.entity)
      return !target || refusesRowless(context, node)
        ? undefined
        : asState(checkReverse(context, node, target, segment))
    }
    case 'filter':
      return asState(checkNarrowed(context, node, segment))
    case 'project':
      return refusesRowless(context, node) ? undefined : asState(checkProject(context, node, segment))
    case 'template':
      return refusesRowless(context, node) ? undefined : asState(checkTemplate(context, node, segment))
  }
}

/** `Entity.name`: a capability without an id, else a step from all rows. */
function entityStep(
  context: Context,
  state: Extract<State, { kind: 'entity' }>,
  segment: Extract<Segment, { kind: 'step' }>,
): CheckedNode | undefined {
  const { target } = state
  const wire = slotName(context.scope, segment.name.text, target)
  const { fields, relations } = target.entity
  const isSlot = [...fields, ...relations].some((slot) => slot.name === wire)
  const method = isSlot ? undefined : oneMethod(context, target, segment.name)
  if (method === 'several') return undefined
  if (method && !method.anchor) return callStep(context, undefined, method, segment)
  if (!method && !isSlot) {
    reportUnknownStep(context, entityRows(target, 'many'), segment, true)
    return undefined
  }
  const node = rowsIn(context, state)
  return node && checkStep(context, node, segment)
}

/** `.name(…)`: an operator over the rows, else a method. */
function applyCall(
  context: Context,
  state: State,
  segment: Extract<Segment, { kind: 'call' }>,
): CheckedNode | undefined {
  const target = state.kind === 'entity' ? state.target : state.node.rows.target
  const operator = OPERATORS.get(segment.name.text)
  if (operator) {
    const node = rowsIn(context, state)
    if (!node || refusesRowless(context, node) || refusesWrite(context, node, segment.name)) return undefined
    return operator.check(context, node, segment)
  }
  const method = target && oneMethod(context, target, segment.name)
  if (method === 'several') return undefined
  if (!method) {
    const search = state.kind === 'entity' ? searchNamed(context, state.target, segment) : undefined
    if (search) return checkCall(context, search)
    const rows = state.kind === 'entity' ? entityRows(state.target, 'many') : state.node.rows
    if (refusesCalledSlot(context, rows, segment)) return undefined
    reportUnknownStep(context, rows, segment, state.kind === 'entity')
    return undefined
  }
  const { name, arguments: args, span } = segment
  if (state.kind === 'node')
    return checkCall(context, { method, receiver: state.node, arguments: args, name, span })
  if (!method.anchor) return checkCall(context, { method, arguments: args, name, span })
  // A capability of another entity, called on the entity itself, has no row as its scope.
  const given = args.named.some(
    (entry) => slotName(context.scope, entry.name.text, method.owner) === method.anchor?.name,
  )
  if (given || takesIdentity(method.owner, method.capability))
    return checkCall(context, { method, arguments: args, name, span })
  const node = rowsIn(context, state)
  return node && checkCall(context, { method, receiver: node, arguments: args, name, span })
}
