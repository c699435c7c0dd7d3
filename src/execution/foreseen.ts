import type { ExactJson } from '../base/canonical.ts'
import type { Problem } from '../base/diagnostic.ts'
import { requestOf } from '../catalog/call.ts'
import { indexOf, keySlotsOf, parametersOf } from '../catalog/lookup.ts'
import type { Capability, Catalog, Slot, Type } from '../catalog/model.ts'
import type { Argument, Operand, Operation, Plan, PlanNode } from '../language/plan/plan.ts'
import type { Invocation } from './invocation.ts'
import { identityOf } from './read/operand.ts'
import { buildCall } from './http/request/build.ts'

/** A call of a plan, as far as it is known before the run. */
interface Foreseen {
  readonly capability: string
  readonly identity: readonly Argument[]
  readonly arguments: readonly Argument[]
  /** Parameters and key slots that each row fills. */
  readonly filled: readonly string[]
}

/** What a value of the program alone can be wrong with; the others may be the fault of a value that stands in for a row's. */
const BY_VALUE: ReadonlySet<string> = new Set(['null_not_sent', 'unsafe_argument', 'unsafe_header'])

/**
 * What a run would refuse before it sends anything: each call of the plan is built from the values that the program wrote,
 * with stand-ins for those that rows will give. Each problem has the place of its step.
 *
 * @param model the catalog model under a digest of the plan
 */
export function foreseenProblems(plan: Plan, model: (digest: string) => Catalog): readonly Problem[] {
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]))
  return plan.nodes.flatMap((node) => {
    if (!node.entity) return []
    const catalog = model(node.entity.digest)
    const call = foreseenCall(node.operation, catalog, (id) => nodes.get(id))
    return call ? problemsOf(call, node, catalog) : []
  })
}

function foreseenCall(
  operation: Operation,
  catalog: Catalog,
  nodeOf: (id: string) => PlanNode | undefined,
): Foreseen | undefined {
  switch (operation.kind) {
    case 'each':
      return foreseenCall(operation.body, catalog, nodeOf)
    case 'query':
      return { ...operation, identity: [], filled: [] }
    case 'get':
      return { ...operation, filled: [] }
    case 'call': {
      const entity = indexOf(catalog).capabilities.get(operation.capability)?.entity ?? ''
      const key = indexOf(catalog).entities.get(entity)?.key ?? []
      return { ...operation, filled: operation.source === undefined ? [] : key }
    }
    case 'reverse':
      return { ...operation, identity: [], filled: [operation.parameter] }
    case 'relation': {
      const parent = nodeOf(operation.source)?.entity?.entity ?? ''
      const relations = indexOf(catalog).entities.get(parent)?.relations ?? []
      const via = relations.find(({ name }) => name === operation.relation)?.via
      if (!via || !('capability' in via)) return undefined
      const filled = via.bindings.map(({ parameter }) => parameter)
      return { ...operation, capability: via.capability, identity: [], filled }
    }
    default:
      return undefined
  }
}

function problemsOf(call: Foreseen, { entity, span }: PlanNode, catalog: Catalog): readonly Problem[] {
  const capability = indexOf(catalog).capabilities.get(call.capability)
  const request = requestOf(capability)
  if (!capability || !request) return []
  const slots = new Map([...keySlots(catalog, capability), ...parametersOf(capability)])
  const standIns = call.filled.flatMap((name): [string, ExactJson][] => {
    const slot = slots.get(name)
    return slot ? [[name, standInFor(slot.type)]] : []
  })
  const isKey = ([name]: readonly [string, ExactJson]) => keySlots(catalog, capability).has(name)
  const identity = identityOf(new Map([...standIns.filter(isKey), ...valuesOf(call.identity)]))
  const invocation: Invocation = {
    pinned: { digest: entity?.digest ?? '', catalog },
    capability,
    arguments: new Map([...standIns.filter((one) => !isKey(one)), ...valuesOf(call.arguments)]),
    ...(identity && { identity }),
  }
  const built = buildCall(invocation, request, 'foreseen')
  if (built.ok) return []
  const isKnown =
    call.filled.length === 0 &&
    !capability.preflight &&
    [...call.identity, ...call.arguments].every(({ operand }) => isLiteral(operand))
  const found = isKnown ? built.problems : built.problems.filter(({ code }) => BY_VALUE.has(code))
  return found.map((problem) => ({ ...problem, span }))
}

/** The slots that identify the row that the capability is called on; none for queries, whose parameters may have their names. */
function keySlots(catalog: Catalog, { entity, kind }: Capability): ReadonlyMap<string, Slot> {
  const isOnRow = kind !== 'query' && kind !== 'search' && kind !== 'create'
  const found = isOnRow ? indexOf(catalog).entities.get(entity) : undefined
  return new Map((found ? keySlotsOf(found) : []).map((slot) => [slot.name, slot]))
}

function isLiteral({ kind }: Operand): boolean {
  return kind === 'literal'
}

function valuesOf(given: readonly Argument[]): readonly (readonly [string, ExactJson])[] {
  return given.map(({ name, type, operand }) => [
    name,
    operand.kind === 'literal' ? operand.value : standInFor(type),
  ])
}

/** A harmless value of the type. */
function standInFor(type: Type): ExactJson {
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
