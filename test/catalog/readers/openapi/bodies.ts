import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import type { ExactJson, Json } from '../../../../src/base/canonical.ts'
import { isList, isRecord, recordOf } from '../../../../src/base/json.ts'
import { pin } from '../../../../src/catalog/digest.ts'
import { requestOf } from '../../../../src/catalog/call.ts'
import { indexOf } from '../../../../src/catalog/lookup.ts'
import type { Capability, ServedCatalog, Type } from '../../../../src/catalog/model.ts'
import type { Expression, HttpRequest } from '../../../../src/catalog/calls/http-request.ts'
import { needsTarget, targetParameters } from '../../../../src/catalog/target.ts'
import { execute } from '../../../../src/execution/executor.ts'
import type { WireCall } from '../../../../src/execution/wire.ts'
import { readProgram } from '../../../../src/language/program.ts'
import { worldOf } from '../../../execution/plans.ts'
import { sessionOf } from '../../../language/sessions.ts'
import { argumentsOf, rowKeyOf } from '../../../shared-data/calls/written.ts'
import { instancesOf, resolvedIn, UNDECLARED } from './instances.ts'

/** An operation with a body of JSON, and the capability that sends it. */
interface BodyOf {
  readonly capability: Capability
  readonly schema: Json
}

/** The operations of a document that have a body of JSON, with their capabilities. */
function bodiesOf(document: Json, catalog: ServedCatalog): readonly BodyOf[] {
  const schemas = new Map<string, Json>()
  const paths = resolvedIn(document, isRecord(document) ? document['paths'] : undefined)
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(resolvedIn(document, item))) {
      const body = resolvedIn(document, resolvedIn(document, operation)['requestBody'])
      const schema = resolvedIn(document, resolvedIn(document, body['content'])['application/json'])['schema']
      if (schema !== undefined)
        schemas.set(`${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`, schema)
    }
  }
  return catalog.capabilities.flatMap((capability) => {
    const request = requestOf(capability)
    const schema = request?.body && schemas.get(routeOf(request))
    return schema === undefined ? [] : [{ capability, schema }]
  })
}

function routeOf({ method, path }: HttpRequest): string {
  const parts = path.map(
    (segment) =>
      `${segment.glued ? '' : '/'}${segment.type === 'literal' ? segment.value : `{}${segment.suffix}`}`,
  )
  return `${method} ${parts.join('')}`
}

/** What is wrong with bodies that the document allows: refused by the check, or sent as something else. Empty if nothing is. */
export async function refusedBodies(
  document: Json,
  catalog: ServedCatalog,
  numRuns: number,
): Promise<readonly string[]> {
  const scope = sessionOf([catalog, ...catalog.entities.map(({ name }) => name)])
  const pinned = pin(catalog)
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, validateSchema: false })
  ajv.addSchema(Object(structural(document)), 'document')
  const wrong: string[] = []
  for (const { capability, schema } of bodiesOf(document, catalog)) {
    const validate = ajv.compile(Object(structural(schema, 'document')))
    const property = fc.asyncProperty(
      callsOf(document, catalog, capability, schema),
      async ({ program, body }) => {
        const read = readProgram(program, scope)
        if (!read.ok) throw new Error(`${program}: ${read.problems.map(({ message }) => message).join(' ')}`)
        const calls: WireCall[] = []
        const wire = {
          send: async (call: WireCall) => {
            calls.push(call)
            return { ok: true as const, reply: { status: 200, headers: {}, body: {}, bytes: 2, requests: 1 } }
          },
        }
        const { problems } = await execute(read.plan, worldOf(pinned, { wire }))
        const own = calls.find((call) => call.capability === capability.name)
        const sent = own?.body?.value ?? null
        // A body without members is left out where the document does not require it.
        const isLeftOut =
          own !== undefined && sent === null && isRecord(body) && Object.keys(body).length === 0
        if (!isLeftOut && !(holds(sent, body) && validate(sent)))
          throw new Error(
            `${program} sends ${JSON.stringify(sent)}: ${ajv.errorsText(validate.errors)} ${problems.map(({ message }) => message).join(' ')}`,
          )
      },
    )
    const { failed, errorInstance } = await fc.check(property, { numRuns, seed: 7 })
    if (failed) wrong.push(`${capability.name}: ${String(errorInstance).slice(0, 700)}`)
  }
  return wrong
}

interface Call {
  readonly program: string
  /** What the request has to hold. */
  readonly body: Json
}

function callsOf(
  document: Json,
  catalog: ServedCatalog,
  capability: Capability,
  schema: Json,
): fc.Arbitrary<Call> {
  const request = requestOf(capability)
  const entity = indexOf(catalog).entities.get(capability.entity)
  if (!request?.body || !entity) throw new Error(capability.name)
  const names = argumentNames(request.body)
  const ofBody = new Set(names.kind === 'whole' ? [names.name] : names.byWire.values())
  const brought = targetParameters(catalog, capability)
  const types = new Map(capability.parameters.map(({ name, type }) => [name, type]))
  const others = capability.parameters.filter(({ name }) => !brought.has(name) && !ofBody.has(name))
  const key = needsTarget(catalog, capability) ? rowKeyOf(entity, catalog) : fc.constant({ text: '' })
  return fc
    .tuple(key, argumentsOf(others, catalog), instancesOf(document, schema))
    .map(([row, { text }, instance]) => {
      const at = row.text === '' || row.text.startsWith('(') ? row.text : `(${row.text})`
      const given = givenOf(names, instance).map((one) => ({
        ...one,
        value: momentIn(types.get(one.name), one.value),
      }))
      const parts = [text, ...given.map(({ name, value }) => `${name}=${written(value)}`)].filter(
        (part) => part !== '',
      )
      const body =
        names.kind === 'whole' ? instance : recordOf(given.map(({ wire, value }) => [wire, value] as const))
      return { program: `${entity.name}${at}.${capability.label}(${parts.join(', ')})`, body }
    })
}

/** A number for a moment is one of our days: seven milliseconds after 1970 are read as seconds. */
function momentIn(type: Type | undefined, value: Json): Json {
  if (type?.kind !== 'date' || typeof value !== 'number') return value
  const seconds = 1_600_000_000 + (Math.abs(Math.trunc(value)) % 1_000_000)
  return type.format === 'unix_ms' ? seconds * 1000 : seconds
}

type Names =
  | { readonly kind: 'whole'; readonly name: string }
  | { readonly kind: 'members'; readonly byWire: ReadonlyMap<string, string> }

/** The arguments that fill a body. */
function argumentNames(body: Expression): Names {
  if (body.type !== 'object') return { kind: 'whole', name: variableOf(body) ?? '' }
  const entries = body.fields.flatMap(([wire, expression]) => {
    const name = variableOf(expression)
    return name === undefined ? [] : [[wire, name] as const]
  })
  return { kind: 'members', byWire: new Map(entries) }
}

function variableOf(expression: Expression): string | undefined {
  if (expression.type === 'if') return variableOf(expression.then)
  return expression.type === 'var' ? expression.name : undefined
}

/** The members of a body that have an argument: constants, the key of the row and cursors of pages have none. */
function givenOf(
  names: Names,
  instance: Json,
): readonly { readonly name: string; readonly wire: string; readonly value: Json }[] {
  if (names.kind === 'whole') return [{ name: names.name, wire: '', value: instance }]
  return Object.entries(isRecord(instance) ? instance : {}).flatMap(([wire, value]) => {
    const name = wire === UNDECLARED ? wire : names.byWire.get(wire)
    return name === undefined ? [] : [{ name, wire, value }]
  })
}

/** A value as a program writes it. */
function written(value: Json): string {
  if (isList(value)) return `[${value.map(written).join(', ')}]`
  if (!isRecord(value)) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, held]) => `${JSON.stringify(name)}: ${written(held)}`)
    .join(', ')}}`
}

/** Whether what was sent holds the body: constants may be added, one element may stand in a list, dates are written anew. */
function holds(sent: ExactJson, body: ExactJson): boolean {
  if (isList(sent)) {
    const all: readonly ExactJson[] = isList(body) ? body : [body]
    return sent.length === all.length && all.every((one, index) => holds(sent[index] ?? null, one))
  }
  if (isRecord(body))
    return isRecord(sent) && Object.entries(body).every(([name, value]) => holds(sent[name] ?? null, value))
  return (
    sent === body ||
    (typeof body === 'string' &&
      typeof sent === 'string' &&
      sent.slice(0, 10) === body.slice(0, 10) &&
      /^\d{4}-/.test(body))
  )
}

const ASIDE = new Set([
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'format',
  'example',
  'examples',
  'default',
  'discriminator',
  '$id',
  '$schema',
  'id',
  'minProperties',
  'maxProperties',
])

/** As 2020-12 writes it: `nullable` is a type, and any alternative will do. */
function structural(schema: Json, base = '', isMap = false): Json {
  if (isList(schema)) return schema.map((one) => structural(one, base))
  if (!isRecord(schema)) return schema
  const entries = Object.entries(schema).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
    if (isMap) return [[key, structural(value, base)]]
    if (key === '$ref' && typeof value === 'string') return [['$ref', `${base}${value}`]]
    if (ASIDE.has(key) || key === 'nullable') return []
    if (key === 'type' && typeof value === 'string' && schema['nullable'] === true)
      return [['type', [value, 'null']]]
    if (key === 'oneOf') return [['anyOf', structural(value, base)]]
    if (key === 'enum' || key === 'const') return [[key, value]]
    if (key === 'required') return [[key, declaredOf(value, schema['properties'])]]
    return [[key, structural(value, base, key === 'properties' || key === 'paths' || key === 'schemas')]]
  })
  return recordOf(entries)
}

/** A document may require a member that it does not describe, which no argument can be. */
function declaredOf(required: Json, properties: Json | undefined): Json {
  if (!isList(required) || !isRecord(properties)) return required
  return required.filter((name) => typeof name === 'string' && Object.hasOwn(properties, name))
}
