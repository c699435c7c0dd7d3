import { problem } from '../../../problems.ts'
import type { DateFormat, StringSemantics, Type } from '../../../model.ts'
import type { Notes } from '../../document/notes.ts'
import { Section } from '../../document/section.ts'
import type { Entry, Tree } from '../../document/tree.ts'
import { rule } from '../problems.ts'

/** A named value definition: its type and its description. */
export interface ValueRow {
  readonly type: Type
  readonly description?: string
}

/** Value definitions by name, and the declared entities. */
export interface Values {
  row(name: string): ValueRow | undefined
  /** Whether the definition declares an array; does not resolve it, so that chains cost no stack. */
  isArray(name: string): boolean
  readonly names: readonly string[]
  readonly entities: ReadonlySet<string>
}

/** The keys that declare a type. `field_type` and `array_items` are the interchange form's names of `type` and `items`. */
const TYPE_KEYS = [
  'type',
  'target',
  'allowed_values',
  'value_format',
  'string_semantics',
  'items',
  'encoding',
] as const
export const MIRROR_KEYS = [
  'field_type',
  'target',
  'allowed_values',
  'value_format',
  'string_semantics',
  'array_items',
] as const

const SEMANTICS = ['short', 'markdown', 'document', 'html', 'json_text', 'blob'] as const
const FORMATS = ['rfc3339', 'unix_ms', 'unix_sec', 'iso8601_date'] as const satisfies readonly DateFormat[]

const KINDS: ReadonlyMap<string, Type['kind']> = new Map([
  ['string', 'string'],
  ['uuid', 'uuid'],
  ['blob', 'blob'],
  ['integer', 'integer'],
  ['int', 'integer'],
  ['number', 'number'],
  ['float', 'number'],
  ['boolean', 'boolean'],
  ['bool', 'boolean'],
  ['select', 'select'],
  ['enum', 'select'],
  ['multi_select', 'multi_select'],
  ['date', 'date'],
  ['datetime', 'date'],
  ['array', 'array'],
  ['json', 'json'],
  ['entity_ref', 'reference'],
])

/** The type of a slot after an error. */
const UNKNOWN: Type = { kind: 'json' }

/** Reads the `values` map. A definition may come after its uses. */
export function readValues(
  rows: readonly (readonly [string, Entry])[],
  entities: ReadonlySet<string>,
  notes: Notes,
): Values {
  const sections = new Map<string, Section>()
  const done = new Map<string, ValueRow>()
  const known = [...TYPE_KEYS, 'field_type', 'array_items', 'description']
  for (const [name, { tree }] of rows) {
    const section = Section.of(tree, `values.${name}`, known, notes)
    if (section) sections.set(name, section)
  }
  const values: Values = {
    names: [...sections.keys()],
    entities,
    isArray: (name) => ['type', 'field_type'].some((key) => isText(sections.get(name)?.get(key), 'array')),
    row(name) {
      const held = done.get(name)
      const section = sections.get(name)
      if (held || !section) return held
      const description = proseOf(section)
      const row = { type: readType(section, values), ...(description !== undefined && { description }) }
      done.set(name, row)
      return row
    },
  }
  for (const name of values.names) values.row(name)
  return values
}

/** The trimmed `description`; undefined if it is blank. */
export function proseOf(section: Section): string | undefined {
  const text = section.text('description')?.trim()
  return text === undefined || text === '' ? undefined : text
}

/** The type that a section declares: `type: select`, `allowed_values: […]` and so on. */
export function readType(section: Section, values: Values): Type {
  const key = section.has('field_type') ? 'field_type' : 'type'
  const tree = section.need(key)
  if (!tree) return UNKNOWN
  if (tree.kind === 'map') return referenceInside(section, key, tree, values)
  const name = section.text(key)
  if (name === undefined) return UNKNOWN
  const kind = KINDS.get(name)
  if (kind === undefined) {
    const options = [...KINDS.keys()]
    const nearest = section.notes.nearest(name, options)
    section.notes.error(
      problem(
        'not_one_of',
        { where: section.path(key), value: name, options, nearest },
        { ...section.at(key), nearest },
      ),
    )
    return UNKNOWN
  }
  refuseStrangers(section, kind)
  return typeOfKind(section, kind, values)
}

function typeOfKind(section: Section, kind: Type['kind'], values: Values): Type {
  switch (kind) {
    case 'string':
      return stringType(section)
    case 'select':
    case 'multi_select':
      return selectType(section, kind)
    case 'date':
      return { kind, format: dateFormat(section) }
    case 'array':
      return { kind, items: itemsType(section, values) }
    case 'reference':
      return reference(section, section.needText('target'), 'target', values)
    case 'uuid':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'json':
      return { kind }
    case 'blob':
      return blobType(section)
    case 'object':
    case 'union':
      throw new Error(`no value row is of kind ${kind}`)
  }
}

function stringType(section: Section): Type {
  const semantics = section.choice('string_semantics', SEMANTICS)
  if (semantics === 'blob') return blobType(section)
  if (!section.has('string_semantics') && section.where.startsWith('values.')) {
    section.notes.warn(problem('string_without_semantics', { where: section.where }, section.at()))
  }
  return { kind: 'string', semantics: (semantics ?? 'short') satisfies StringSemantics }
}

/** The base64 alphabet of a value, from our extension `encoding`, else from its description. */
function blobType(section: Section): Type {
  const said = section.choice('encoding', ['base64', 'base64url'])
  const url = said === undefined ? /base64url/i.test(proseOf(section) ?? '') : said === 'base64url'
  return url ? { kind: 'blob', url } : { kind: 'blob' }
}

function selectType(section: Section, kind: 'select' | 'multi_select'): Type {
  const options = [...new Set(section.texts('allowed_values'))]
  if (options.length > 0) return { kind, options }
  if (kind === 'multi_select')
    section.notes.error(problem('missing_key', { where: section.where, key: 'allowed_values' }, section.at()))
  else section.notes.warn(problem('select_without_options', { where: section.where }, section.at()))
  return { kind: 'string', semantics: 'short' }
}

function dateFormat(section: Section): DateFormat {
  const tree = section.need('value_format')
  if (tree?.kind === 'map') {
    const inner = Section.of(tree, section.path('value_format'), ['temporal'], section.notes)
    return inner?.choice('temporal', FORMATS) ?? 'rfc3339'
  }
  return (tree && section.choice('value_format', FORMATS)) ?? 'rfc3339'
}

function itemsType(section: Section, values: Values): Type {
  const key = section.has('array_items') ? 'array_items' : 'items'
  const tree = section.need(key)
  if (!tree) return UNKNOWN
  const inner = Section.of(tree, section.path(key), ['value_ref', ...MIRROR_KEYS], section.notes)
  if (!inner) return UNKNOWN
  const named = inner.text('value_ref')
  const nested = named === undefined ? isText(inner.get('field_type'), 'array') : values.isArray(named)
  if (!nested) return named === undefined ? readType(inner, values) : valueOf(inner, values).type
  section.broken(rule('nested_array', {}), key)
  return UNKNOWN
}

function isText(tree: Tree | undefined, text: string): boolean {
  return tree?.kind === 'scalar' && tree.value === text
}

/** The value row that `value_ref` names. An unknown one is noted. */
export function valueOf(section: Section, values: Values): ValueRow & { readonly name?: string } {
  const name = section.needText('value_ref')
  if (name === undefined) return { type: UNKNOWN }
  const row = values.row(name)
  if (row) return { ...row, name }
  section.unknown('value_ref', 'value', name, values.names)
  return { type: UNKNOWN }
}

/** The interchange form writes `field_type: { entity_ref: { target: Order } }`. */
function referenceInside(section: Section, key: string, tree: Tree, values: Values): Type {
  const outer = Section.of(tree, section.path(key), ['entity_ref'], section.notes)
  const held = outer?.need('entity_ref')
  const inner = held && outer && Section.of(held, outer.path('entity_ref'), ['target'], section.notes)
  return inner ? reference(inner, inner.needText('target'), 'target', values) : UNKNOWN
}

function reference(section: Section, entity: string | undefined, key: string, values: Values): Type {
  if (entity === undefined) return UNKNOWN
  if (values.entities.has(entity)) return { kind: 'reference', entity }
  section.unknown(key, 'entity', entity, values.entities)
  return UNKNOWN
}

/** Notes keys that belong to other types. */
function refuseStrangers(section: Section, kind: Type['kind']): void {
  const homes: readonly (readonly [string, readonly Type['kind'][]])[] = [
    ['value_format', ['date']],
    ['string_semantics', ['string']],
    ['items', ['array']],
    ['encoding', ['blob', 'string']],
  ]
  for (const [key, kinds] of homes) {
    if (!section.has(key) || kinds.includes(kind)) continue
    const params = { where: section.where, key, reason: `only a ${kinds.join(' or ')} has one` }
    section.notes.error(problem('does_not_belong', params, section.at(key)))
  }
}
