import type { Json } from '../../../base/canonical.ts'
import { child } from '../../../base/json.ts'
import { pascal, wordsOf } from '../../../base/words/names.ts'
import { singular } from '../../../base/words/singular.ts'
import type { Field, Parameter, Slot, Type } from '../../model.ts'
import { isName } from '../name.ts'
import { SchemaReader } from '../json-schema/type.ts'

/** The rows of a tool's answer, by its output schema. */
export interface AnswerRows {
  /** Object keys to the rows in a structured answer: a list or one object. Absent: the shape of the answer is unknown. */
  readonly rows?: readonly string[]
  readonly fields: readonly Field[]
  /** Lists of objects inside the row: each is a relation to an entity of its own. */
  readonly lists: readonly InnerList[]
}

interface InnerList {
  /** The key in the row, and the name of the relation. */
  readonly name: string
  /** The entity of its elements. */
  readonly entity: string
  readonly fields: readonly Field[]
}

/** What is known of an answer without an output schema: JSON, or text. */
const UNTYPED: AnswerRows = {
  fields: [fieldOf('text', { kind: 'string', semantics: 'short' }), fieldOf('data', { kind: 'json' })],
  lists: [],
}

/** Keys beside a list that say how much of it there is. */
const ABOUT_LIST =
  /^(?:total|count|size|next|prev|previous|has|page|per|offset|limit|cursor)(?:$|[_A-Z])|(?:cursor|count|total|token)$/i

/**
 * The rows that an output schema describes. An answer that holds a list of objects, and at most how much of it there is,
 * gives the rows of that list; another object is one row.
 */
export function answerRows(schema: Json | undefined): AnswerRows {
  if (schema === undefined) return UNTYPED
  const reader = new SchemaReader(schema)
  const whole = reader.resolved(schema)
  if (child(whole, 'type') === 'array') return listRows(reader, whole) ?? UNTYPED
  const { parameters } = reader.parameters(schema)
  if (parameters.length === 0) return UNTYPED
  const [list, second] = parameters.filter(({ type }) => elementFields(type))
  const isOnlyList = list && !second && parameters.every((one) => one === list || isAboutList(one))
  const elements = isOnlyList && elementFields(list.type)
  if (elements) return { rows: [list.name], fields: elements, lists: [] }
  return rowOf(parameters)
}

function listRows(reader: SchemaReader, schema: Json | undefined): AnswerRows | undefined {
  const fields = elementFields(reader.type(schema))
  return fields && { rows: [], fields, lists: [] }
}

function isAboutList({ name, type }: Parameter): boolean {
  return (
    (type.kind === 'integer' ||
      type.kind === 'number' ||
      type.kind === 'boolean' ||
      type.kind === 'string') &&
    ABOUT_LIST.test(name)
  )
}

function rowOf(parameters: readonly Parameter[]): AnswerRows {
  const lists = parameters.flatMap((parameter) => {
    const fields = elementFields(parameter.type)
    const entity = pascal(wordsOf(parameter.name).map(singular).join(' '))
    return fields && isName(entity) ? [{ name: parameter.name, entity, fields }] : []
  })
  const fields = parameters.map((parameter) => {
    const list = lists.find(({ name }) => name === parameter.name)
    return list
      ? fieldOf(parameter.name, { kind: 'array', items: { kind: 'reference', entity: list.entity } })
      : asField(parameter)
  })
  return { rows: [], fields, lists }
}

/** The fields of a list's elements, if they are objects. */
function elementFields(type: Type): readonly Field[] | undefined {
  return type.kind === 'array' && type.items.kind === 'object' ? type.items.fields.map(asField) : undefined
}

function asField({ name, type, description }: Slot): Field {
  return { ...fieldOf(name, type), ...(description !== undefined && { description }) }
}

/** An optional field under its own name. */
export function fieldOf(name: string, type: Type): Field {
  return { name, type, required: false, path: [name] }
}
