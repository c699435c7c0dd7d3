import type { CapabilityKind, Parameter, Role, Type, Variant } from '../../../model.ts'
import { tagged } from './expressions.ts'
import { checkName } from '../domain/names.ts'
import { problem } from '../../../problems.ts'
import { Section } from '../../document/section.ts'
import { type Tree } from '../../document/tree.ts'
import { MIRROR_KEYS, proseOf, readType, valueOf, type Values } from '../domain/values.ts'
import { rule } from '../problems.ts'

const SLOT_KEYS = ['name', 'value_ref', 'input_type', 'required', 'description', 'role']
const FIELD_KEYS = [...SLOT_KEYS, ...MIRROR_KEYS, 'default', 'wire_json_path', 'wire_array_element_key']
const ROLES = [
  'plain',
  'filter',
  'search',
  'sort',
  'sort_direction',
  'response_control',
  'scope',
] as const satisfies readonly Role[]

/** The input of a capability. */
export interface Input {
  readonly parameters: readonly Parameter[]
  /** Keys that are not parameters are accepted, too. */
  readonly open: boolean
}

/** Reads `parameters` and `input_schema`: the parameters come first, then the schema's fields. */
export function readInput(capability: Section, kind: CapabilityKind, values: Values): Input {
  const schemaTree = capability.get('input_schema')
  const role: Role = kind === 'query' || kind === 'search' ? 'filter' : 'plain'
  const rows = capability
    .items('parameters')
    .flatMap((tree, index) =>
      readParameter(tree, capability, { key: `parameters[${index}]`, known: SLOT_KEYS, role }, values),
    )
  const schema = schemaTree && readSchema(schemaTree, capability, role, values)
  const parameters = [...rows, ...(schema?.parameters ?? [])]
  return { parameters: withoutDoubles(parameters, capability), open: schema?.open ?? false }
}

function withoutDoubles(parameters: readonly Parameter[], capability: Section): Parameter[] {
  const seen = new Map<string, Parameter>()
  for (const parameter of parameters) {
    const params = { where: capability.where, what: 'parameter', name: parameter.name }
    if (seen.has(parameter.name))
      capability.notes.error(problem('duplicate_name', params, capability.at('parameters')))
    else seen.set(parameter.name, parameter)
  }
  return [...seen.values()]
}

interface ParameterSlot {
  /** Its key in the section: `fields[2]`. */
  readonly key: string
  readonly known: readonly string[]
  /** The role of a parameter that has none of its own. */
  readonly role: Role
}

function readParameter(tree: Tree, within: Section, slot: ParameterSlot, values: Values): Parameter[] {
  const { notes } = within
  const { known, role } = slot
  const where = within.path(slot.key)
  const read = Section.of(tree, where, known, notes)
  const name = read?.needText('name')
  if (!read || name === undefined || !checkName(name, where, read.at('name'), notes)) return []
  const value = slotType(read, values)
  const description = proseOf(read) ?? value.description
  const wirePath = read.steps('wire_json_path')
  const wireElementKey = read.text('wire_array_element_key')
  return [
    {
      name,
      type: value.type,
      ...(value.name !== undefined && { value: value.name }),
      ...(description !== undefined && { description }),
      required: read.flag('required'),
      role: read.choice('role', ROLES, role) ?? role,
      ...(wirePath && wirePath.length > 0 && { wirePath }),
      ...(wireElementKey !== undefined && { wireElementKey }),
    },
  ]
}

function slotType(read: Section, values: Values): { type: Type; name?: string; description?: string } {
  const inner = read.get('input_type')
  if (inner && read.has('value_ref')) {
    read.notes.error(
      problem('either_or', { where: read.where, keys: ['value_ref', 'input_type'] }, read.at('input_type')),
    )
  }
  if (inner) return { type: readInputType(inner, read.path('input_type'), read, values) }
  if (!read.has('value_ref') && read.has('field_type')) return { type: readType(read, values) }
  if (read.has('value_ref')) return valueOf(read, values)
  read.notes.error(problem('either_or', { where: read.where, keys: ['value_ref', 'input_type'] }, read.at()))
  return { type: { kind: 'json' } }
}

const SCHEMA_KEYS = ['input_type', 'validation', 'description', 'examples']
const VALIDATION_KEYS = ['allow_null', 'predicates', 'cross_field_rules']

function readSchema(tree: Tree, capability: Section, role: Role, values: Values): Input | undefined {
  const schema = Section.of(tree, capability.path('input_schema'), SCHEMA_KEYS, capability.notes)
  const validation = schema?.get('validation')
  if (schema && validation) Section.of(validation, schema.path('validation'), VALIDATION_KEYS, schema.notes)
  const type = schema?.need('input_type')
  if (!schema || !type) return undefined
  const where = schema.path('input_type')
  const said = type.kind === 'map' ? type.entries.get('type')?.tree : undefined
  const name = said?.kind === 'scalar' ? said.value : undefined
  if (name === 'none') return { parameters: [], open: false }
  if (name === 'object') return readObject(type, { where, notes: schema.notes }, role, values)
  if (capability.has('parameters')) {
    schema.broken(rule('input_beside_parameters', {}), 'input_type')
    return undefined
  }
  // The whole input is one value, which templates name `input`.
  const whole = readInputType(type, where, schema, values)
  return { parameters: [{ name: 'input', type: whole, required: true, role: 'plain' }], open: false }
}

const INPUT_TYPES = ['none', 'value', 'object', 'array', 'union'] as const
const INPUT_KEYS = {
  none: [],
  value: [...MIRROR_KEYS],
  object: ['fields', 'additional_fields'],
  array: ['element_type', 'min_length', 'max_length'],
  union: ['variants'],
} as const

function readInputType(tree: Tree, where: string, within: Section, values: Values): Type {
  const read = tagged(tree, where, { types: INPUT_TYPES, keys: INPUT_KEYS }, within.notes)
  if (!read) return { kind: 'json' }
  const { section, type } = read
  switch (type) {
    case 'none':
      return { kind: 'object', fields: [], open: false }
    case 'value':
      section.need('field_type')
      return section.has('field_type') ? readType(section, values) : { kind: 'json' }
    case 'object': {
      const { parameters, open } = readObject(tree, { where, notes: within.notes }, 'plain', values)
      return { kind: 'object', fields: parameters, open }
    }
    case 'array': {
      const element = section.need('element_type')
      return { kind: 'array', items: element ? readElement(element, section, values) : { kind: 'json' } }
    }
    case 'union':
      section.need('variants')
      return {
        kind: 'union',
        variants: section
          .items('variants')
          .flatMap((item, index) => readVariant(item, index, section, values)),
      }
  }
}

/** The element of an array is an input type or a reference to a value. */
function readElement(tree: Tree, array: Section, values: Values): Type {
  const where = array.path('element_type')
  if (tree.kind !== 'map' || !tree.entries.has('value_ref')) return readInputType(tree, where, array, values)
  const read = Section.of(tree, where, ['value_ref'], array.notes)
  return read ? valueOf(read, values).type : { kind: 'json' }
}

function readObject(
  tree: Tree,
  { where, notes }: Pick<Section, 'where' | 'notes'>,
  role: Role,
  values: Values,
): Input {
  const read = Section.of(tree, where, ['type', 'fields', 'additional_fields'], notes)
  if (!read) return { parameters: [], open: false }
  read.need('fields')
  const parameters = read
    .items('fields')
    .flatMap((item, index) =>
      readParameter(item, read, { key: `fields[${index}]`, known: FIELD_KEYS, role }, values),
    )
  return { parameters: withoutDoubles(parameters, read), open: read.flag('additional_fields') }
}

const VARIANT_KEYS = ['name', 'description', 'constructor_symbol', 'fields', 'wire']

function readVariant(tree: Tree, index: number, union: Section, values: Values): Variant[] {
  const read = Section.of(tree, `${union.path('variants')}[${index}]`, VARIANT_KEYS, union.notes)
  const name = read?.needText('name')
  if (!read || name === undefined || !checkName(name, read.where, read.at('name'), read.notes)) return []
  const wireTree = read.need('wire')
  const wire = wireTree && Section.of(wireTree, read.path('wire'), ['field', 'value'], read.notes)
  const description = proseOf(read)
  const constructorSymbol = read.text('constructor_symbol')
  const fields = read
    .items('fields')
    .flatMap((item, at) =>
      readParameter(item, read, { key: `fields[${at}]`, known: FIELD_KEYS, role: 'plain' }, values),
    )
  return [
    {
      name,
      ...(description !== undefined && { description }),
      ...(constructorSymbol !== undefined && { constructorSymbol }),
      tag: { field: wire?.needText('field') ?? '', value: wire?.needText('value') ?? '' },
      fields: withoutDoubles(fields, read),
    },
  ]
}
