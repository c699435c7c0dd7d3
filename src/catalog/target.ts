import { once } from '../base/once.ts'
import { indexOf } from './lookup.ts'
import type { Capability, Catalog, Parameter } from './model.ts'
import type { HttpRequest } from './calls/http-request.ts'
import { filledBy } from './preflight.ts'
import { SESSION_NAMES, variablesOf } from './variables.ts'

/**
 * Whether a capability is called on a row, as in `e1(42).close()`: its request (or its view) uses a value that only the
 * row's identity can supply, which no parameter brings or which is part of the entity's own key.
 */
export function needsTarget(catalog: Catalog, capability: Capability): boolean {
  return identified(catalog).has(capability)
}

const identified = once(
  (catalog: Catalog) =>
    new Set(catalog.capabilities.filter((capability) => isIdentified(catalog, capability))),
)

function isIdentified(catalog: Catalog, capability: Capability): boolean {
  if (capability.kind === 'query' || capability.kind === 'search' || capability.kind === 'create')
    return false
  const brought = broughtNames(catalog, capability)
  const { preflight = [], call } = capability
  if (preflight.some(({ kind }) => kind === 'target')) return true
  switch (call?.kind) {
    case 'http':
    case 'graphql':
    case 'evm':
      return [...requestVariables(call.request)].some((name) => !brought.has(name))
    case 'mcp':
      return call.operation.type === 'resource' && call.operation.template === undefined
    case 'view':
      return call.view.scope.some(({ name, key }) => key !== undefined && !brought.has(name))
    case undefined:
      // A call that is not supported: nothing is known of its values, and it cannot be planned.
      return true
  }
}

/**
 * The parameters that the target supplies, so that a call need not repeat them: those named like a part of the entity's
 * key, and a compound reference whose whole key is part of the entity's.
 */
export function targetParameters(catalog: Catalog, capability: Capability): ReadonlySet<string> {
  if (!needsTarget(catalog, capability)) return new Set()
  const key = identityNames(catalog, capability)
  const brought = capability.parameters.filter((parameter) => {
    if (key.has(parameter.name)) return true
    const parts = compoundKey(catalog, parameter)
    return parts.length > 0 && parts.every((part) => key.has(part))
  })
  return new Set(brought.map(({ name }) => name))
}

/**
 * The variables of every call besides its target: parameters that are not part of the identity, the slots of compound
 * references, the whole input, the results of the reads before the call, and the session.
 */
function broughtNames(catalog: Catalog, capability: Capability): ReadonlySet<string> {
  const key = identityNames(catalog, capability)
  const found = filledBy(capability.preflight ?? [])
  const names = new Set(['input', 'filter', 'projection', ...SESSION_NAMES, ...found])
  for (const parameter of capability.parameters) {
    if (!key.has(parameter.name)) names.add(parameter.name)
    for (const part of compoundKey(catalog, parameter)) names.add(part)
  }
  return names
}

function identityNames(catalog: Catalog, capability: Capability): ReadonlySet<string> {
  return new Set(['id', ...(indexOf(catalog).entities.get(capability.entity)?.key ?? [])])
}

/** The key slots of a reference to an entity with a compound key. */
function compoundKey(catalog: Catalog, { type }: Parameter): readonly string[] {
  if (type.kind !== 'reference') return []
  const key = indexOf(catalog).entities.get(type.entity)?.key ?? []
  return key.length > 1 ? key : []
}

/** Every variable that the request template reads, guarded ones included. */
function requestVariables(request: HttpRequest): ReadonlySet<string> {
  return new Set(variablesOf(request).map(({ name }) => name))
}
