import { once } from '../base/once.ts'
import { snake } from '../base/words/names.ts'
import { pathVariables, requestOf } from './call.ts'
import type { Capability, Entity } from './model.ts'
import type { Auxiliary, Expression, HttpRequest } from './calls/http-request.ts'
import { argumentsOf, filledBy, type Preflight } from './preflight.ts'

/** A variable that a template uses. */
export interface Use {
  readonly name: string
  /** It is used only inside of `if exists`. */
  readonly guarded: boolean
}

/** Every variable that the template uses, each once; unguarded if one use is. */
export function variablesOf(request: HttpRequest): readonly Use[] {
  const found = new Map<string, boolean>()
  const add = (name: string, guarded: boolean) => found.set(name, guarded && (found.get(name) ?? true))
  for (const { path } of requestsOf(request))
    for (const segment of path) if (segment.type === 'var') add(segment.name, false)
  for (const expression of expressionsOf(request)) visit(expression, new Set(), add)
  return [...found].map(([name, guarded]) => ({ name, guarded }))
}

/** Names that the template uses without sending them: in `if exists name`, and to search the answer. */
export function askedOf(request: HttpRequest): ReadonlySet<string> {
  const { reshape } = request.response
  const asked = new Set(reshape?.kind === 'pluck' ? [reshape.variable] : [])
  const walk = (expression: Expression): void => {
    if (expression.type === 'if' && expression.condition.type === 'exists')
      asked.add(expression.condition.var)
    for (const part of partsOf(expression)) walk(part)
  }
  for (const expression of expressionsOf(request)) walk(expression)
  return asked
}

/** The request, and the second one that completes its answer. */
function requestsOf(request: HttpRequest): readonly Auxiliary['request'][] {
  const second = request.response.auxiliary?.request
  return second ? [request, second] : [request]
}

function expressionsOf(request: HttpRequest): readonly Expression[] {
  const all = [...requestsOf(request).flatMap(({ query, headers }) => [query, headers]), request.body]
  return all.filter((expression) => expression !== undefined)
}

function visit(
  expression: Expression,
  guards: ReadonlySet<string>,
  add: (name: string, guarded: boolean) => void,
): void {
  if (expression.type === 'var') {
    add(expression.name, guards.has(expression.name))
    return
  }
  if (expression.type === 'if' && expression.condition.type === 'exists') {
    visit(expression.then, new Set([...guards, expression.condition.var]), add)
    return visit(expression.else, guards, add)
  }
  if (expression.type === 'map') {
    visit(expression.items, guards, add)
    return visit(expression.each, guards, (name, guarded) => {
      if (name !== expression.item) add(name, guarded)
    })
  }
  for (const part of partsOf(expression)) visit(part, guards, add)
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.type) {
    case 'var':
    case 'const':
      return []
    case 'object':
    case 'mail':
      return expression.fields.map(([, value]) => value)
    case 'array':
      return expression.elements
    case 'join':
      return [expression.items]
    case 'pairs':
      return [expression.value]
    case 'map':
      return [expression.items, expression.each]
    case 'format':
      return expression.vars.map(([, value]) => value)
    case 'if': {
      const { condition } = expression
      const asked =
        condition.type === 'equals'
          ? [condition.left, condition.right]
          : condition.type === 'bool'
            ? [condition.value]
            : []
      return [...asked, expression.then, expression.else]
    }
  }
}

/** Whether the template formats values into texts. */
export const hasTexts = once((request: HttpRequest): boolean =>
  [request.query, request.headers, request.body].some((expression) => expression && makesText(expression)),
)

function makesText(expression: Expression): boolean {
  return expression.type === 'format' || partsOf(expression).some(makesText)
}

/**
 * The names without which a text in the template has a gap, given the bound names. Conditions on values are decided at the
 * call.
 */
export function gapsOf(request: HttpRequest, bound: ReadonlySet<string>): readonly string[] {
  const gaps = new Set<string>()
  const walk = (expression: Expression, known: ReadonlySet<string>): void => {
    if (expression.type === 'if') {
      const { condition } = expression
      if (condition.type === 'exists')
        walk(known.has(condition.var) ? expression.then : expression.else, known)
      return
    }
    if (expression.type === 'map') {
      const { items, item, each } = expression
      walk(items, known)
      // Of a list that is not given, no element is written.
      if (items.type !== 'var' || known.has(items.name)) walk(each, new Set([...known, item]))
      return
    }
    if (expression.type === 'format')
      for (const [, held] of expression.vars)
        if (held.type === 'var' && !known.has(held.name)) gaps.add(held.name)
    for (const part of partsOf(expression)) walk(part, known)
  }
  for (const expression of expressionsOf(request)) walk(expression, bound)
  return [...gaps]
}

/**
 * The parameters that every call of the capability has to give: the required ones, and those without which a text of its
 * request has a gap although nothing else is given.
 */
export function neededOf(
  capability: Capability,
  entityOf: (name: string) => Entity | undefined,
): ReadonlySet<string> {
  const required = capability.parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  const request = requestOf(capability)
  if (!request || !hasTexts(request)) return new Set(required)
  const { always } = boundBy(capability, entityOf)
  return new Set([...required, ...gapsOf(request, always)])
}

/** The variables of the session in every call. */
export const SESSION_NAMES: readonly string[] = ['plasm_execute_prompt_hash', 'plasm_execute_session_id']

/**
 * The names that a call always binds, and those that it binds if the caller supplies them. Gets, updates, deletes and
 * actions bind the identity; a compound scope argument binds its key slots; capabilities with input bind all of it as
 * `input`.
 */
export function boundBy(
  capability: Capability,
  entityOf: (name: string) => Entity | undefined,
): { readonly always: ReadonlySet<string>; readonly sometimes: ReadonlySet<string> } {
  const always = new Set(SESSION_NAMES)
  const sometimes = new Set<string>()
  const bound = { always, sometimes }
  for (const { name, required, type } of capability.parameters) {
    const target = type.kind === 'reference' ? entityOf(type.entity) : undefined
    const names = target && target.key.length > 1 ? [name, ...target.key] : [name]
    for (const one of names) (required ? always : sometimes).add(one)
  }
  const { kind, preflight = [] } = capability
  for (const step of preflight) addFound(step, capability, entityOf, bound)
  if (kind === 'create' || kind === 'update' || kind === 'action') always.add('input')
  if (kind !== 'create' && kind !== 'query' && kind !== 'search')
    addIdentity(capability, entityOf(capability.entity), always)
  return bound
}

/** Adds the variables of the reads before the call: always bound unless the step can be skipped. */
function addFound(
  step: Preflight,
  { entity, parameters }: Capability,
  entityOf: (name: string) => Entity | undefined,
  { always, sometimes }: { readonly always: Set<string>; readonly sometimes: Set<string> },
): void {
  const isRequired = (name: string) => parameters.some((one) => one.name === name && one.required)
  if (step.kind === 'target') {
    for (const { name } of entityOf(entity)?.fields ?? []) always.add(`${step.prefix}_${name}`)
  } else {
    const found = step.kind !== 'labels' && argumentsOf([step]).every(isRequired) ? always : sometimes
    for (const name of filledBy([step])) found.add(name)
  }
}

/** Adds `id`, the key's slots, and the variable of the row's only key. */
function addIdentity(capability: Capability, entity: Entity | undefined, always: Set<string>): void {
  for (const name of ['id', ...(entity?.key ?? [])]) always.add(name)
  const own = keyVariable(capability, entity)
  if (own !== undefined) always.add(own)
}

/**
 * The variable that the key of the row fills whatever its name: the only one of the path, or, where the path has none, one
 * that is named after the entity (`ticket_id` of a Ticket) and is no parameter.
 */
export function keyVariable(capability: Capability, entity: Entity | undefined): string | undefined {
  const [only, ...more] = pathVariables(capability)
  if (only !== undefined) return more.length === 0 ? only : undefined
  const request = requestOf(capability)
  if (!request || !entity || entity.key.length > 1) return undefined
  const name = snake(entity.name)
  const wanted = new Set(['id', ...entity.key].map((key) => `${name}_${key}`))
  for (const parameter of capability.parameters) wanted.delete(parameter.name)
  return variablesOf(request).find((use) => wanted.has(use.name))?.name
}
