import { indexOf } from './lookup.ts'
import type { Capability, Catalog, Condition, Expression, HttpRequest } from './model.ts'

/**
 * Is the capability called on one thing that must be identified, as in `e1(42).close()`? So it is when its request uses
 * a value that no parameter supplies: that value can only be a part of the target's identity.
 */
export function needsTarget(catalog: Catalog, capability: Capability): boolean {
  if (capability.kind === 'query' || capability.kind === 'search' || capability.kind === 'create') return false
  if (!capability.request) return true
  const supplied = suppliedNames(catalog, capability)
  return [...requestVariables(capability.request)].some((name) => !supplied.has(name))
}

/** The names that the arguments bring: parameters, the keys that a compound reference spreads into, the whole input. */
export function suppliedNames(catalog: Catalog, capability: Capability): ReadonlySet<string> {
  const names = new Set(['input', 'filter', 'projection'])
  for (const parameter of capability.parameters) {
    names.add(parameter.name)
    if (parameter.type.kind !== 'reference') continue
    const key = indexOf(catalog).entities.get(parameter.type.entity)?.key ?? []
    if (key.length > 1) for (const slot of key) names.add(slot)
  }
  return names
}

/** Every variable that the request template reads, guarded ones included. */
export function requestVariables(request: HttpRequest): ReadonlySet<string> {
  const names = new Set<string>()
  for (const segment of request.path) if (segment.type === 'var') names.add(segment.name)
  for (const expression of [request.query, request.headers, request.body]) if (expression) visit(expression, names)
  return names
}

function visit(expression: Expression, names: Set<string>): void {
  switch (expression.type) {
    case 'var':
      names.add(expression.name)
      break
    case 'const':
      break
    case 'object':
      for (const [, value] of expression.fields) visit(value, names)
      break
    case 'array':
      for (const element of expression.elements) visit(element, names)
      break
    case 'if':
      visitCondition(expression.condition, names)
      visit(expression.then, names)
      visit(expression.else, names)
      break
    case 'join':
      visit(expression.items, names)
      break
    case 'format':
      for (const [, value] of expression.vars) visit(value, names)
      break
  }
}

function visitCondition(condition: Condition, names: Set<string>): void {
  switch (condition.type) {
    case 'exists':
      // A guard alone takes no value: what it guards is visited by itself.
      break
    case 'equals':
      visit(condition.left, names)
      visit(condition.right, names)
      break
    case 'bool':
      visit(condition.value, names)
      break
  }
}
