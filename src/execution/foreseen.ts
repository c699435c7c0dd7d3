import type { Json } from '../base/canonical.ts'
import type { Problem } from '../base/diagnostic.ts'
import { requestOf } from '../catalog/call.ts'
import { indexOf } from '../catalog/lookup.ts'
import type { Catalog, Type } from '../catalog/model.ts'
import type { Argument, Operand, Operation, Plan, PlanNode } from '../language/plan/plan.ts'
import type { Invocation } from './invocation.ts'
import { identityOf } from './read/operand.ts'
import { buildCall } from './http/request/build.ts'

type Called = Extract<Operation, { kind: 'query' | 'get' | 'call' }>

/** What a value of the program alone can be wrong with; the others may be the fault of a value that stands in for a row's. */
const BY_VALUE: ReadonlySet<string> = new Set(['null_not_sent', 'unsafe_argument', 'unsafe_header'])

/**
 * What a run would refuse before it sends anything: each call of the plan is built from the values that the program wrote,
 * with stand-ins for those that rows will give. Each problem has the place of its step.
 *
 * @param model the catalog model under a digest of the plan
 */
export function foreseenProblems(plan: Plan, model: (digest: string) => Catalog): readonly Problem[] {
  return plan.nodes.flatMap((node) => {
    const call = calledBy(node.operation)
    return call && node.entity ? problemsOf(call, node, model(node.entity.digest)) : []
  })
}

function calledBy(operation: Operation): Called | undefined {
  const call = operation.kind === 'each' ? operation.body : operation
  return call.kind === 'query' || call.kind === 'get' || call.kind === 'call' ? call : undefined
}

function problemsOf(call: Called, { entity, span }: PlanNode, catalog: Catalog): readonly Problem[] {
  const capability = indexOf(catalog).capabilities.get(call.capability)
  const request = requestOf(capability)
  if (!capability || !request) return []
  const slots = call.kind === 'query' ? [] : call.identity
  const source = call.kind === 'call' && call.source !== undefined
  const key = source ? (indexOf(catalog).entities.get(capability.entity)?.key ?? []) : []
  const identity = identityOf(
    new Map<string, Json>([...key.map((name): [string, Json] => [name, '1']), ...valuesOf(slots)]),
  )
  const invocation: Invocation = {
    pinned: { digest: entity?.digest ?? '', catalog },
    capability,
    arguments: valuesOf(call.arguments),
    ...(identity && { identity }),
  }
  const built = buildCall(invocation, request, 'foreseen')
  if (built.ok) return []
  const isKnown =
    !source &&
    !capability.preflight &&
    [...slots, ...call.arguments].every(({ operand }) => isLiteral(operand))
  const found = isKnown ? built.problems : built.problems.filter(({ code }) => BY_VALUE.has(code))
  return found.map((problem) => ({ ...problem, span }))
}

function isLiteral({ kind }: Operand): boolean {
  return kind === 'literal'
}

function valuesOf(given: readonly Argument[]): ReadonlyMap<string, Json> {
  return new Map(
    given.map(({ name, type, operand }) => [
      name,
      operand.kind === 'literal' ? operand.value : standInFor(type),
    ]),
  )
}

/** A harmless value of the type. */
function standInFor(type: Type): Json {
  switch (type.kind) {
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'select':
      return type.options[0] ?? '1'
    case 'array':
    case 'multi_select':
      return []
    case 'object':
    case 'union':
    case 'json':
      return {}
    default:
      return '1'
  }
}
