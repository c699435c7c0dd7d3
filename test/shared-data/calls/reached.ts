import type { Expression, HttpRequest } from '../../../src/catalog/calls/http-request.ts'

/**
 * The variables that a request surely sends, where these arguments are given: those of branches that depend on other values
 * may be sent or not.
 */
export function reachedBy(
  { path, query, headers, body }: HttpRequest,
  given: ReadonlySet<string>,
): ReadonlySet<string> {
  const found = new Set(path.flatMap((segment) => (segment.type === 'var' ? [segment.name] : [])))
  const walk = (expression: Expression): void => {
    switch (expression.type) {
      case 'var':
        found.add(expression.name)
        return
      case 'const':
      case 'mail':
        return
      case 'object':
        return expression.fields.forEach(([, value]) => walk(value))
      case 'array':
        return expression.elements.forEach(walk)
      case 'map':
        walk(expression.items)
        return walk(expression.each)
      case 'join':
        return walk(expression.items)
      case 'pairs':
        return walk(expression.value)
      case 'format':
        return expression.vars.forEach(([, value]) => walk(value))
      case 'if':
        if (expression.condition.type === 'exists')
          walk(given.has(expression.condition.var) ? expression.then : expression.else)
    }
  }
  for (const expression of [query, headers, body]) if (expression) walk(expression)
  return found
}
