import {
  getNullableType,
  type GraphQLInputField,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLLeafType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql'
import { oneLine } from '../../../base/text/one-line.ts'
import type { Parameter, Type } from '../../model.ts'
import { BOUNDS } from './bounds.ts'

const TEXT: Type = { kind: 'string', semantics: 'short' }

/** Scalars that many schemas declare, by their usual names; others are text. */
const CUSTOM: readonly (readonly [RegExp, Type])[] = [
  [/date_?time|timestamp|instant/i, { kind: 'date', format: 'rfc3339' }],
  [/^(?:ISO8601)?(?:local)?date$/i, { kind: 'date', format: 'iso8601_date' }],
  [/json|^(?:any|map|object|mixed|raw|unknown)$/i, { kind: 'json' }],
  [/^(?:uuid|guid)$/i, { kind: 'uuid' }],
  [
    /^(?:big_?int|long|int64|(?:un)?signed_?int|(?:non_?)?(?:positive|negative)_?int|short|byte)$/i,
    { kind: 'integer' },
  ],
  [/^(?:decimal|big_?decimal|double|number|float64|money|percentage)$/i, { kind: 'number' }],
  [/^(?:markdown|commonmark)$/i, { kind: 'string', semantics: 'markdown' }],
  [/^html$/i, { kind: 'string', semantics: 'html' }],
]

/** The type of a scalar or an enum. */
export function typeOfLeaf(type: GraphQLLeafType): Type {
  if (isEnumType(type)) {
    const options = type
      .getValues()
      .flatMap(({ name, deprecationReason }) => (deprecationReason == null ? [name] : []))
    return options.length > 0 && options.length <= BOUNDS.options ? { kind: 'select', options } : TEXT
  }
  switch (type.name) {
    case 'Int':
      return { kind: 'integer' }
    case 'Float':
      return { kind: 'number' }
    case 'Boolean':
      return { kind: 'boolean' }
    case 'ID':
    case 'String':
      return TEXT
    default:
      return CUSTOM.find(([name]) => name.test(type.name))?.[1] ?? TEXT
  }
}

/** Gives the entity that an argument's name identifies: `issueId` an issue. */
export type ReferenceOf = (name: string) => string | undefined

/** Reads the types of one capability's arguments, within the bounds. */
export class Inputs {
  readonly #referenceOf: ReferenceOf
  #fields = 0

  constructor(referenceOf: ReferenceOf) {
    this.#referenceOf = referenceOf
  }

  /** An argument, or a field of an input object, as a parameter. */
  parameter(input: GraphQLArgument | GraphQLInputField, role: Parameter['role'], depth = 0): Parameter {
    this.#fields++
    const { name, type } = input
    const description = proseOf(input.description)
    return {
      name,
      type: this.#type(type, name, depth),
      ...(description !== undefined && { description }),
      required: isRequired(input),
      role,
    }
  }

  #type(type: GraphQLInputType, name: string, depth: number): Type {
    const own = getNullableType(type)
    if (isListType(own)) {
      const items = this.#type(own.ofType, name.replace(/s$/, ''), depth)
      return items.kind === 'array' ? { kind: 'json' } : { kind: 'array', items }
    }
    if (isLeafType(own)) {
      const entity = isEnumType(own) || own.name === 'Boolean' ? undefined : this.#referenceOf(name)
      return entity === undefined ? typeOfLeaf(own) : { kind: 'reference', entity }
    }
    if (!isInputObjectType(own) || depth >= BOUNDS.inputDepth) return { kind: 'json' }
    const fields = Object.values(own.getFields()).filter(({ deprecationReason }) => deprecationReason == null)
    if (this.#fields + fields.length > BOUNDS.inputFields) return { kind: 'json' }
    return {
      kind: 'object',
      fields: fields.map((field) => this.parameter(field, 'plain', depth + 1)),
      open: false,
    }
  }
}

/** A value that has a default is not required, though its type says so. */
function isRequired(input: GraphQLArgument | GraphQLInputField): boolean {
  return isNonNullType(input.type) && input.defaultValue === undefined
}

/** A description as one line of bounded length; undefined if there is none. */
export function proseOf(text: string | null | undefined): string | undefined {
  const line = oneLine(text ?? '', BOUNDS.prose).trim()
  return line === '' ? undefined : line
}
