import { problem } from '../../problems.ts'
import { parametersOf, textParameter } from '../../../catalog/lookup.ts'
import type { Capability } from '../../../catalog/model.ts'
import type { Head, Segment } from '../../syntax/tree.ts'
import type { CheckedArgument, CheckedNode, Column, Rows, Target } from '../model/checked.ts'
import { speakingOf, type Context } from '../model/context.ts'
import { checkIdentity } from '../values/identity.ts'
import { getOf, keyNamesOf } from '../model/methods.ts'
import { resolveConditions } from './conditions/conditions.ts'
import { asWritten, splitConditions } from './conditions/predicates.ts'
import { capabilitiesOf, entityIn, resolveEntity, slotName } from '../model/resolve.ts'
import type { KeptPage, Scope } from '../model/scope.ts'
import { entityRows, knownColumns } from '../model/shape.ts'
import { CALL_RULES } from '../rules/index.ts'
import { ownPage } from '../rules/pages.ts'
import { isSupported } from '../rules/supported.ts'
import { noQuery } from './select.ts'
import type { Call, WrittenArgument } from '../rules/site.ts'
import { wantOf } from '../model/want.ts'

/** `e3(42)`: the get of the entity, by exactly its key; further arguments are options of the get. */
export function checkGet(outer: Context, head: Extract<Head, { kind: 'get' }>): CheckedNode | undefined {
  const target = resolveEntity(outer, head.entity)
  if (!target) return undefined
  const capability = getOf(outer, target)
  const context = speakingOf(outer, target, capability)
  const identity = checkIdentity(context, target, {
    name: head.entity,
    arguments: head.arguments,
    get: capability,
  })
  if (!identity) return undefined
  if (!capability) return identified(context, target, identity.key, head)
  const written: WrittenArgument[] = identity.others.map(({ name, value, span }) => ({
    name,
    wire: slotName(context.scope, name.text, target) ?? name.text,
    value,
    span,
  }))
  const supplied = keyNamesOf(target)
  for (const rule of CALL_RULES)
    rule({ context, target, capability, name: head.entity, written, supplied, span: head.span })
  const args: CheckedArgument[] = []
  for (const { wire, value } of written) {
    const slot = parametersOf(capability).get(wire)
    const checked = slot && value && context.checkValue(context, value, wantOf(target, slot))
    if (slot && checked) args.push({ slot, value: checked })
  }
  const rows = entityRows(target, 'one')
  return args.length < written.length
    ? undefined
    : { kind: 'get', capability, identity: identity.key, arguments: args, rows, span: head.span }
}

/** Without a get an identity is still a target for methods. */
function identified(
  context: Context,
  target: Target,
  key: readonly CheckedArgument[],
  head: Extract<Head, { kind: 'get' }>,
): CheckedNode {
  return { kind: 'identity', target, identity: key, rows: entityRows(target, 'one'), span: head.span }
}

/** `e3~"words"{…}`: the entity's search, with the text in its search parameter. */
export function checkSearch(
  outer: Context,
  head: Extract<Head, { kind: 'search' }>,
): CheckedNode | undefined {
  const target = resolveEntity(outer, head.entity)
  if (!target) return undefined
  const capability = searchOf(outer, target)
  const context = speakingOf(outer, target, capability)
  if (!capability) {
    context.report(noQuery(context, target, head.entity.span, 'searched'))
    return undefined
  }
  const conditions = resolveConditions(context, target, { predicates: head.predicates, end: head.span.end })
  const parameter = textParameter(capability)
  if (!conditions || !parameter) return undefined
  const name = { text: parameter.name, span: head.text.span }
  const written = [
    { name, wire: parameter.name, value: head.text, span: head.text.span },
    ...asWritten(target, conditions, capability),
  ]
  for (const rule of CALL_RULES)
    rule({ context, target, capability, name: head.entity, written, supplied: new Set(), span: head.span })
  const text = context.checkValue(context, head.text, wantOf(target, parameter))
  const split = splitConditions(context, target, capability, conditions)
  if (!text || !split) return undefined
  const args = [{ slot: parameter, value: text }, ...split.arguments]
  return {
    kind: 'query',
    capability,
    arguments: args,
    filters: split.filters,
    rows: entityRows(target, 'many'),
    span: head.span,
  }
}

function searchOf(context: Context, target: Target): Capability | undefined {
  const searches = capabilitiesOf(context.scope, target).filter(({ kind }) => kind === 'search')
  return searches.find(isSupported) ?? searches[0]
}

/** `.search(q=…)` and `.search("words")`, if no method of the entity has this name. */
export function searchNamed(
  context: Context,
  target: Target,
  segment: Extract<Segment, { kind: 'call' }>,
): Call | undefined {
  const { name, arguments: args, span } = segment
  const capability = name.text === 'search' ? searchOf(context, target) : undefined
  if (!capability) return undefined
  return { method: { owner: target, capability }, arguments: args, name, span }
}

/** `page(s0_pg1, limit=20)`: rows of what the session keeps for the handle; open rows where it keeps nothing. */
export function checkPage(context: Context, head: Extract<Head, { kind: 'page' }>): CheckedNode | undefined {
  const handle = ownPage(context, head.handle)
  if (handle === undefined) return undefined
  const limit = head.limit?.kind === 'number' ? Number(head.limit.text) : undefined
  if (head.limit && !(limit !== undefined && Number.isSafeInteger(limit) && limit > 0)) {
    context.report(problem('wrong_count', { operator: 'limit' }, { span: head.limit.span }))
    return undefined
  }
  const rows = pageRows(context, handle) ?? { shape: 'many', single: false, columns: 'open' }
  return { kind: 'page', handle, ...(limit !== undefined && { limit }), rows, span: head.span }
}

function pageRows({ scope }: Context, handle: string): Rows | undefined {
  const page = scope.pages?.get(handle)
  if (!page) return undefined
  const { columns } = page
  const target = keptTarget(scope, page)
  if (!target) return page.entity || !columns ? undefined : computedRows(columns)
  const rows = entityRows(target, 'many')
  return columns ? { ...rows, columns: columns.map((column) => keptColumn(rows, column)) } : rows
}

/** The session may have moved on to another version of the catalog since it kept the page. */
function keptTarget(scope: Scope, { entity }: KeptPage): Target | undefined {
  if (!entity) return undefined
  const isNamed = scope.space.entities.some(({ digest }) => digest === entity.digest)
  return isNamed ? entityIn(scope.model(entity.digest), entity.digest, entity.entity) : undefined
}

function computedRows(columns: NonNullable<KeptPage['columns']>): Rows {
  const typed = columns.map(({ name }): Column => ({ name, type: { kind: 'json' }, brands: [] }))
  return { shape: 'many', single: false, columns: typed }
}

function keptColumn(
  rows: Rows,
  { name, path }: { readonly name: string; readonly path: readonly string[] },
): Column {
  const field = path.length === 1 ? knownColumns(rows)?.find((one) => one.name === path[0]) : undefined
  return field ? { ...field, name } : { name, type: { kind: 'json' }, brands: [] }
}
