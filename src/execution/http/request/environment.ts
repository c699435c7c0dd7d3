import type { ExactJson } from '../../../base/canonical.ts'
import { isOutsideBody } from '../../../catalog/call.ts'
import { fieldsOf, indexOf } from '../../../catalog/lookup.ts'
import type { Capability, Catalog, Entity, Parameter } from '../../../catalog/model.ts'
import { keyVariable } from '../../../catalog/variables.ts'
import { exactNumber, exactValue } from '../../../catalog/values/exact.ts'
import type { Invocation } from '../../invocation.ts'
import { child, isRecord, recordOf, scalarText } from '../../../base/json.ts'
import { lowerInto, lowerValue } from './lower.ts'
import { sessionVariables } from './session.ts'

/**
 * The variables of a request template: the row's key slots (and `id`), the arguments, the slots of compound references,
 * `input` (the arguments as one object), the results of the reads before the call, and the session. Key slots win over
 * arguments of the same name, so that no body redirects a write to another row. `filter` and `projection` have no special
 * meaning.
 */
export function environmentOf(invocation: Invocation, session?: string): ReadonlyMap<string, ExactJson> {
  const { capability } = invocation
  const { catalog } = invocation.pinned
  const entity = indexOf(catalog).entities.get(capability.entity)
  const env = new Map<string, ExactJson>()
  const inBody: (readonly [Parameter | undefined, string, ExactJson])[] = []
  for (const [name, given] of invocation.arguments) {
    const parameter = capability.parameters.find((candidate) => candidate.name === name)
    const value = parameter ? narrowReference(catalog, parameter, given) : given
    const dropped = splat(invocation, parameter, value, env)
    const exact = parameter ? exactValue(parameter.type, value, catalog) : value
    if (!dropped) env.set(name, parameter ? lowerValue(parameter.type, exact) : exact)
    if (!dropped && !isOutsideBody(capability, { name, role: parameter?.role }))
      inBody.push([parameter, name, exact])
  }
  if (!env.has('input')) env.set('input', inputOf(inBody))
  for (const [name, value] of invocation.found ?? []) env.set(name, value)
  const variables = session === undefined ? [] : sessionVariables(session, catalog.id)
  for (const [name, value] of variables) env.set(name, value)
  if (invocation.identity && entity) bindIdentity(capability, entity, invocation.identity, env)
  return env
}

function inputOf(values: readonly (readonly [Parameter | undefined, string, ExactJson])[]): ExactJson {
  const input: { [key: string]: ExactJson } = Object.create(null)
  for (const [parameter, name, value] of values) {
    if (parameter) lowerInto(input, parameter, value)
    else input[name] = value
  }
  return recordOf(Object.entries(input))
}

/** A row as an argument becomes its id. */
function narrowReference(catalog: Catalog, parameter: Parameter, value: ExactJson): ExactJson {
  if (parameter.type.kind !== 'reference' || !isRecord(value)) return value
  const key = indexOf(catalog).entities.get(parameter.type.entity)?.key ?? []
  const [only] = key
  return key.length === 1 && only !== undefined ? (child(value, only) ?? child(value, 'id') ?? value) : value
}

/**
 * Adds the slots of a compound scope argument to the environment, if they are not set. True: the aggregate itself is left
 * out.
 */
function splat(
  { pinned: { catalog }, capability }: Invocation,
  parameter: Parameter | undefined,
  value: ExactJson,
  env: Map<string, ExactJson>,
): boolean {
  if (parameter?.type.kind !== 'reference') return false
  const key = indexOf(catalog).entities.get(parameter.type.entity)?.key ?? []
  if (key.length < 2) return false
  const slots = compoundSlots(key, value)
  if (!slots) return false
  for (const [name, slot] of slots) if (!env.has(name)) env.set(name, slot)
  return capability.omitAggregateScope
}

/** The slots of a compound id: an object that holds them all, its `full_name`, or text joined by `/`. */
export function compoundSlots(
  key: readonly string[],
  value: ExactJson,
): readonly (readonly [string, string])[] | undefined {
  if (isRecord(value)) {
    const slots = key.flatMap((name) => {
      const text = scalarText(child(value, name))
      return text === undefined ? [] : [[name, text] as const]
    })
    if (slots.length === key.length) return slots
    const whole = child(value, 'full_name')
    return typeof whole === 'string' ? compoundSlots(key, whole) : undefined
  }
  const parts = typeof value === 'string' ? value.split('/') : []
  if (parts.length !== key.length || parts.some((part) => part === '')) return undefined
  return key.map((name, index) => [name, parts[index] ?? ''] as const)
}

function bindIdentity(
  capability: Capability,
  entity: Entity,
  identity: Readonly<Record<string, string>>,
  env: Map<string, ExactJson>,
): void {
  const slots = Object.entries(identity).map(([name, text]) => [name, keyPart(entity, name, text)] as const)
  for (const [name, value] of slots) env.set(name, value)
  const [only] = slots
  if (slots.length !== 1 || only === undefined) return
  env.set('id', only[1])
  const variable = keyVariable(capability, entity)
  if (variable !== undefined && !env.has(variable)) env.set(variable, only[1])
}

/** Ids are kept as text; a JSON body needs a number if the field is one. Text such as `007` would change: it stays text. */
function keyPart(entity: Entity, name: string, text: string): ExactJson {
  const isNumber =
    fieldsOf(entity).get(name)?.type.kind === 'integer' && /^(?:0|-?[1-9]\d{0,1023})$/.test(text)
  return isNumber ? exactNumber(text) : text
}
