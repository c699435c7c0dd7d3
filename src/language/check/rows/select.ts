import { parametersOf, requiredOf } from '../../../catalog/lookup.ts'
import type { Capability, Parameter } from '../../../catalog/model.ts'
import { describeType } from '../../../catalog/values/value.ts'
import type { Problem, Span } from '../../../base/diagnostic.ts'
import { problem } from '../../problems.ts'
import type { Target } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { capabilitiesOf, nameOf, symbolOf } from '../model/resolve.ts'
import { getOf, takesIdentity } from '../model/methods.ts'
import { isSupported } from '../rules/supported.ts'

/** The input of a selection: the names given with `=`, and those that the receiver supplies. */
export interface Given {
  readonly names: ReadonlySet<string>
  readonly supplied: ReadonlySet<string>
}

/**
 * Selects the query of braces: of those with all required parameters, the one that takes most of the given names, then the
 * one that requires most. Equal ones with the same requirements are decided by the catalog's order, in which the first is
 * taught in braces; otherwise they are ambiguous, which is a problem. An entity without queries is read by its search.
 */
export function selectQuery(
  context: Context,
  target: Target,
  given: Given,
  span: Span,
): { readonly capability: Capability } | { readonly problem: Problem } {
  const all = capabilitiesOf(context.scope, target)
  const queries = all.filter((capability) => capability.kind === 'query')
  const pool = queries.length > 0 ? queries : all.filter((capability) => capability.kind === 'search')
  const usable = pool.some(isSupported) ? pool.filter(isSupported) : pool
  const [first] = usable
  if (!first) return { problem: noQuery(context, target, span) }
  const eligible = usable.filter((capability) => missingOf(capability, given).length === 0)
  if (eligible.length === 0) return { capability: nearestOf(usable, given) ?? first }
  const best = bestOf(eligible, given)
  const [winner, second] = best
  if (winner && (!second || best.every((other) => requireSame(winner, other)))) return { capability: winner }
  const options = best.map((capability) => option(context, target, capability))
  return {
    problem: problem(
      'ambiguous_query',
      { entity: nameOf(context.scope, target), options },
      { span, nearest: best.map((one) => one.label) },
    ),
  }
}

function bestOf(eligible: readonly Capability[], given: Given): readonly Capability[] {
  const scores = eligible.map(
    (capability) => coverage(capability, given) * 1000 + requiredOf(capability).length,
  )
  const top = Math.max(...scores)
  return eligible.filter((_, index) => scores[index] === top)
}

function requireSame(a: Capability, b: Capability): boolean {
  const names = new Set(requiredOf(a).map(({ name }) => name))
  return requiredOf(b).length === names.size && requiredOf(b).every(({ name }) => names.has(name))
}

/** If no query fits, the one that lacks least, so that its problem names what to add. */
function nearestOf(usable: readonly Capability[], given: Given): Capability | undefined {
  return usable.toSorted(
    (a, b) =>
      coverage(b, given) - coverage(a, given) || missingOf(a, given).length - missingOf(b, given).length,
  )[0]
}

function coverage(capability: Capability, given: Given): number {
  const parameters = parametersOf(capability)
  return [...given.names].filter((name) => parameters.has(name)).length
}

function missingOf(capability: Capability, given: Given): readonly Parameter[] {
  return requiredOf(capability).filter(({ name }) => !given.names.has(name) && !given.supplied.has(name))
}

function option(context: Context, target: Target, capability: Capability): string {
  const written = requiredOf(capability).map(
    (parameter) => `${parameter.name}=${describeType(parameter.type)}`,
  )
  return `\`${symbolOf(context.scope, target)}.${capability.label}(${written.join(', ')})\``
}

/** The problem of a list, search or fetch that the entity does not have, with the alternatives. */
export function noQuery(context: Context, target: Target, span: Span, what = 'listed'): Problem {
  const params = { entity: nameOf(context.scope, target), what, instead: insteadOf(context, target, what) }
  const [only, more] = capabilitiesOf(context.scope, target).filter(
    (capability) =>
      capability.kind === 'get' && !takesIdentity(target, capability) && requiredOf(capability).length === 0,
  )
  const at = { start: span.end, end: span.end }
  const fix =
    only && !more && what === 'listed' ? { fix: { edits: [{ span: at, text: `.${only.label}()` }] } } : {}
  return problem('no_query', params, { span, ...fix })
}

function insteadOf(context: Context, target: Target, what: string): string {
  const symbol = symbolOf(context.scope, target)
  const capabilities = capabilitiesOf(context.scope, target)
  const first = (kind: Capability['kind']) => capabilities.find((capability) => capability.kind === kind)
  const get = first('get')
  // A get that takes its id among its arguments is not `e3(id)`.
  if (get && what === 'fetched by its id') return `Call ${option(context, target, get)}`
  if (first('query') && what !== 'listed') return `List it with conditions: ${symbol}{field=value}`
  if (first('search') && what !== 'searched') return `Search it: ${symbol}~"words"`
  if (!getOf(context, target)) return 'Reach it by a relation of another entity'
  const { key } = target.entity
  return `Get one by its id: ${symbol}(${key.length > 1 ? key.map((name) => `${name}=…`).join(', ') : 'id'})`
}
