import type { Span } from '../../../base/diagnostic.ts'
import { parametersOf, requiredOf } from '../../../catalog/lookup.ts'
import type { Capability } from '../../../catalog/model.ts'
import { describeType } from '../../../catalog/values/value.ts'
import { problem } from '../../problems.ts'
import { foldedKey } from '../rules/folded-key.ts'
import type { Expression, Head, Name } from '../../syntax/tree.ts'
import type { CheckedArgument, CheckedNode, Target } from '../model/checked.ts'
import { speakingOf, type Context } from '../model/context.ts'
import { getOf } from '../model/methods.ts'
import { capabilitiesOf } from '../model/resolve.ts'
import { entityRows, keySlots } from '../model/shape.ts'
import { CALL_RULES } from '../rules/index.ts'
import { resolveConditions, type Condition } from './conditions/conditions.ts'
import { asWritten, isSent, splitConditions } from './conditions/predicates.ts'
import { listFor, severalIn, united } from './conditions/several.ts'
import { selectQuery } from './select.ts'

type WrittenQuery = Pick<Extract<Head, { kind: 'query' }>, 'entity' | 'predicates' | 'span'>

/** `e3{…}`: the query that fits the conditions best. */
export function checkQuery(
  outer: Context,
  target: Target,
  { entity: name, predicates, span }: WrittenQuery,
): CheckedNode | undefined {
  const context = speakingOf(outer, target)
  const conditions = resolveConditions(context, target, { predicates, end: span.end })
  if (!conditions) return undefined
  const get = getByKey(context, target, conditions)
  if (get) return readByKey(context, target, get, { name, span })
  const sent = conditions.filter((condition) => isSent(target, condition)).map(({ wire }) => wire)
  const selected = selectQuery(context, target, { names: new Set(sent), supplied: new Set() }, name.span)
  if ('problem' in selected) {
    context.report(selected.problem)
    return undefined
  }
  const { capability } = selected
  if (refusesSplitKey(context, target, conditions, { capability, name })) return undefined
  const inside = speakingOf(outer, target, capability)
  const written = asWritten(target, conditions, capability)
  for (const rule of CALL_RULES)
    rule({ context: inside, target, capability, name, written, supplied: new Set(), span })
  const several = severalIn(inside, target, capability, conditions)
  const rest = conditions.filter((condition) => condition !== several?.condition)
  const split = splitConditions(inside, target, capability, rest)
  if (!split) return undefined
  const rows = entityRows(target, 'many')
  const query = (more: readonly CheckedArgument[]): CheckedNode => {
    return { kind: 'query', capability, ...split, arguments: [...split.arguments, ...more], rows, span }
  }
  return several ? united(inside, target, several, (argument) => query([argument])) : query([])
}

/** The get of `e3{id=4}`, and those of `e3{id=[4, 5]}`. */
function readByKey(
  context: Context,
  target: Target,
  condition: Condition,
  { name, span }: { readonly name: Name; readonly span: Span },
): CheckedNode | undefined {
  const capability = getOf(context, target)
  const [slot] = keySlots(target)
  const several = slot && capability && !context.cursor && listFor(condition, slot)
  if (!several) return context.checkExpression(context, rowsExpression(condition, name, span))
  const rows = entityRows(target, 'one')
  return united(context, target, several, (argument) => {
    return { kind: 'get', capability, identity: [argument], arguments: [], rows, span }
  })
}

/** Reports the parts of a compound key in the place of the reference that some query takes. */
function refusesSplitKey(
  context: Context,
  target: Target,
  conditions: readonly Condition[],
  { capability: chosen, name }: { readonly capability: Capability; readonly name: Name },
): boolean {
  const given = new Set(conditions.map(({ wire }) => wire))
  const lacks = (capability: Capability) =>
    requiredOf(capability).filter((parameter) => !given.has(parameter.name))
  if (lacks(chosen).length === 0) return false
  const written = conditions.flatMap(({ wire, predicate }) =>
    predicate.operator === '=' ? [{ wire, span: predicate.span }] : [],
  )
  for (const capability of capabilitiesOf(context.scope, target)) {
    const [missing, more] = capability.kind === 'query' ? lacks(capability) : []
    const fix = missing && !more ? foldedKey(context, target, capability, written) : undefined
    if (!missing || !fix) continue
    const list = [`\`${missing.name}\` (${describeType(missing.type)})`]
    context.report(
      problem(
        'missing_argument',
        { of: `A query of ${target.entity.name}`, missing: list },
        { span: name.span, fix },
      ),
    )
    return true
  }
  return false
}

/** `e3{id=4}` alone is the get, unless a query takes the id. */
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
