import type { Json } from '../../../../base/canonical.ts'
import { firstFree } from '../../../../base/free-name.ts'
import { scalarText } from '../../../../base/json.ts'
import { snake } from '../../../../base/words/names.ts'
import type { Parameter, Role, Type } from '../../../model.ts'
import type { Expression, PairStyle } from '../../../calls/http-request.ts'
import { versionOf } from '../access/parameters.ts'
import type { Book } from '../entities/book.ts'
import type { Use } from '../entities/draft.ts'
import { propertiesOf } from '../entities/fields.ts'
import { referenceOr } from '../entities/typed.ts'
import { SEARCH_NAMES } from '../entities/verbs.ts'
import { describe } from '../prose.ts'
import { argumentType, parameterType } from '../schema/argument-types.ts'
import type { View } from '../schema/view.ts'
import type { DocumentParameter } from '../source/operation.ts'
import { bodyProperties } from './body-schema.ts'

/** A value of a request: its name there, and the expression that makes it. */
export interface Sent {
  readonly wire: string
  readonly expression: Expression
  /** The argument that fills it; absent for constants and for parts of the key. */
  readonly parameter?: Parameter
  /** It is bytes, or a list of them. */
  readonly isFile?: boolean
  /** The argument that names the file. */
  readonly fileName?: Parameter
}

/** Names arguments so that each is unique, can be written, and is not taken for the key of the row. */
export class Names {
  readonly #taken: Set<string>
  readonly #reserved: ReadonlySet<string>
  readonly #prefix: string

  /** @param reserved names of the key, which the row fills */
  constructor(entity: string, reserved: Iterable<string>) {
    this.#taken = new Set()
    this.#reserved = new Set(reserved)
    this.#prefix = snake(entity)
  }

  isReserved(wire: string): boolean {
    return this.#reserved.has(wire)
  }

  isTaken(wire: string): boolean {
    return this.#taken.has(wire)
  }

  /** @param prefix for names that the key has taken */
  of(wire: string, prefix = this.#prefix): string {
    const plain = wire.replaceAll(/[^A-Za-z0-9_]+/g, '_').replaceAll(/^_+|_+$/g, '')
    const base = /^[A-Za-z]/.test(plain) && !/^[emp]\d+$/.test(plain) ? plain : `p_${plain}`
    const wanted = this.#reserved.has(base) ? `${prefix}_${base}` : base
    const name = firstFree(wanted, (one) => this.#taken.has(one) || this.#reserved.has(one))
    this.#taken.add(name)
    return name
  }
}

/** The value of an argument, left out where an optional one is absent. */
export function valueOf({ name, required }: Pick<Parameter, 'name' | 'required'>): Expression {
  const held: Expression = { type: 'var', name }
  return required ? held : guarded(name, held)
}

/** The value where the argument is given, else another one. */
export function guarded(name: string, held: Expression, otherwise: Json = null): Expression {
  return {
    type: 'if',
    condition: { type: 'exists', var: name },
    // oxlint-disable-next-line unicorn/no-thenable -- the model's own word
    then: held,
    else: { type: 'const', value: otherwise },
  }
}

/** What is known of a value: where it stands, and what the document says of it. */
interface Known {
  readonly wire: string
  /** What the argument is named after, if not after its name on the wire. */
  readonly called?: string
  readonly view: View
  readonly type: Type
  readonly isRequired: boolean
  readonly description?: string | undefined
  readonly role: Role
  readonly separator?: string | undefined
  readonly isJson?: boolean
  readonly pairs?: PairStyle | undefined
}

/** An argument of a request, or the constant that the document fixes. */
export function sentOf(known: Known, names: Names, prefix?: string): Sent {
  const { wire, called = wire, view, type, isRequired, role, separator } = known
  const constant = view.options?.length === 1 ? view.options[0] : undefined
  if (constant !== undefined && isRequired) return { wire, expression: { type: 'const', value: constant } }
  const fallback = isRequired ? view.fallback : undefined
  const name = names.of(called, prefix)
  const required = isRequired && fallback === undefined
  const description = describe(known.description ?? view.description)
  const parameter: Parameter = {
    name,
    type,
    ...(description !== undefined && { description }),
    required,
    ...(required && view.isNullable && { nullable: true as const }),
    role,
  }
  const held: Expression = { type: 'var', name }
  const written = known.isJson ? asJson(held) : separator === undefined ? held : joined(held, separator)
  const value = required ? written : guarded(name, written, fallback ?? null)
  const { pairs: style } = known
  return {
    wire,
    parameter,
    expression: style === undefined || isScalar(type) ? value : { type: 'pairs', style, value },
    ...(isBytes(type) && { isFile: true }),
  }
}

function joined(items: Expression, separator: string): Expression {
  return { type: 'join', separator, items }
}

/** A list in a query would repeat its key. */
function asJson(held: Expression): Expression {
  return { type: 'format', template: '{json}', vars: [['json', held]] }
}

/** Is a value of it one text in a query? */
function isScalar({ kind }: Type): boolean {
  return (
    kind !== 'object' && kind !== 'union' && kind !== 'json' && kind !== 'array' && kind !== 'multi_select'
  )
}

function isBytes(type: Type): boolean {
  return type.kind === 'blob' || (type.kind === 'array' && type.items.kind === 'blob')
}

const SORTS = new Set(['sort', 'sort_by', 'sortby', 'order_by', 'orderby', 'ordering', '$orderby'])
const DIRECTIONS = new Set([
  'order',
  'direction',
  'sort_order',
  'sortorder',
  'sort_direction',
  'sort_dir',
  'reverse',
])
const CONTROLS = new Set([
  'fields',
  'include',
  'includes',
  'expand',
  'embed',
  'format',
  'lang',
  'locale',
  'select',
  '$select',
  '$expand',
  'pretty',
  'verbose',
])

/** The purpose of a query parameter, by its name. */
function roleOf(name: string, { kind }: Use): Role {
  const plain = name.toLowerCase()
  if (kind === 'search' && SEARCH_NAMES.has(plain)) return 'search'
  if (SORTS.has(plain)) return 'sort'
  if (DIRECTIONS.has(plain)) return 'sort_direction'
  if (CONTROLS.has(plain)) return 'response_control'
  return kind === 'query' || kind === 'search' ? 'filter' : 'plain'
}

/** The arguments of a query, header or cookie parameter: several for an object whose keys are known. */
export function sentByParameter(
  parameter: DocumentParameter,
  use: Use,
  book: Book,
  names: Names,
): readonly Sent[] {
  const { schemas } = book
  const view = schemas.view(parameter.schema)
  const { name, isRequired, description, separator } = parameter
  if ((parameter.isDeprecated || view.isDeprecated) && !isRequired) return []
  const version = versionOf(parameter, view, book.document.version)
  if (version !== undefined) return [{ wire: name, expression: { type: 'const', value: version } }]
  const role = parameter.in === 'query' ? roleOf(name, use) : 'plain'
  const properties = schemas.properties(view)
  const { pairs, isJson } = parameter
  const isSplit = properties.size > 0 && view.items === undefined && !isJson && pairs !== 'listed'
  if (parameter.in === 'query' && isSplit) {
    return [...properties].map(([key, schema]) =>
      sentOf(
        {
          wire: pairs === 'brackets' ? `${name}[${key}]` : key,
          view: schemas.view(schema),
          type: parameterType(schemas, schema),
          isRequired: isRequired && view.required.has(key),
          role,
          separator,
          pairs: pairs === 'brackets' ? pairs : undefined,
        },
        names,
      ),
    )
  }
  const type = referenceOr(name, parameterType(schemas, parameter.schema), book)
  const rival = parameter.in === 'query' ? bodyProperties(use.placed.operation, book).get(name) : undefined
  // The body has something else under this name, which is more often wanted.
  const isOther = rival !== undefined && argumentType(schemas, rival).kind !== type.kind
  const column = role === 'filter' && use.showsRows ? propertiesOf(use.entity, schemas).get(name) : undefined
  const called = isOther || isUnlike(view, schemas.view(column)) ? `query_${name}` : name
  const known = { wire: name, called, view, type, isRequired, description, role, isJson }
  const isList = type.kind === 'array' || type.kind === 'multi_select'
  // APIs that declare nothing of an object's members often take it as JSON.
  const isDeclared = properties.size > 0 || view.additional !== undefined
  const isObject = view.types.includes('object') && isDeclared && !isJson
  const style = pairs === 'brackets' || isObject ? pairs : undefined
  return [sentOf({ ...known, separator: isList ? separator : undefined, pairs: style }, names)]
}

/** Does a parameter ask for something else than the values of the column of its name? Conditions on the column need the name. */
function isUnlike(parameter: View, column: View): boolean {
  const asked = (parameter.options ?? []).map(spelled)
  const held = new Set((column.options ?? []).map(spelled))
  if (asked.length > 0 && held.size > 0) return !asked.some((one) => held.has(one))
  const isFlag = parameter.types.length === 1 && parameter.types[0] === 'boolean'
  return isFlag && column.types.length > 0 && column.types.every((type) => NUMBERS.has(type))
}

function spelled(option: Json): string {
  return constantText(option).toLowerCase()
}

const NUMBERS = new Set(['integer', 'number'])

/** The text of a constant, for headers. */
export function constantText(value: Json): string {
  return scalarText(value) ?? JSON.stringify(value)
}
