import type { Derive, Entity, Field } from '../../../model.ts'
import { checkName } from './names.ts'
import { readRelations } from './relations.ts'
import { Section } from '../../document/section.ts'
import type { Entry } from '../../document/tree.ts'
import { MIRROR_KEYS, proseOf, readType, valueOf, type Values } from './values.ts'
import { rule } from '../problems.ts'

const ENTITY_KEYS = [
  'description', 'fields', 'relations', 'id_field', 'id_format', 'id_from', 'key_vars', 'implicit_request_identity',
  'abstract', 'primary_read', 'domain_projection_examples', 'expression_aliases', 'discovery',
] // prettier-ignore
const FIELD_KEYS = [
  'value_ref', 'required', 'description', 'path', 'derive', 'agent_presentation', 'mime_type_hint', 'attachment_media',
] // prettier-ignore

/** An entity, with the section that only the reader needs. */
export interface ReadEntity {
  readonly entity: Entity
  readonly section: Section
}

/** Reads one entity: `Order: { fields: …, relations: … }`. */
export function readEntity(
  name: string,
  { tree, at }: Entry,
  values: Values,
  section: Section,
): ReadEntity | undefined {
  const { notes } = section
  const where = `entities.${name}`
  if (!checkName(name, where, at, notes)) return undefined
  const read = Section.of(tree, where, [...ENTITY_KEYS, 'name'], notes)
  if (!read) return undefined
  read.need('fields')
  const fields = read.entries('fields').flatMap(([field, entry]) => readField(read, field, entry, values))
  const discovery = read.get('discovery')
  const words = discovery && Section.of(discovery, `${where}.discovery`, ['names', 'qualifier_names'], notes)
  const description = proseOf(read)
  const primaryRead = read.text('primary_read')
  const idFrom = read.steps('id_from')
  const entity: Entity = {
    name,
    ...(description !== undefined && { description }),
    ...identity(read),
    ...(idFrom && idFrom.length > 0 && { idFrom }),
    implicitIdentity: read.flag('implicit_request_identity'),
    abstract: read.flag('abstract'),
    aliases: read.texts('expression_aliases'),
    fields,
    relations: readRelations(read),
    terms: words ? [...words.texts('names'), ...words.texts('qualifier_names')] : [],
    ...(primaryRead !== undefined && { primaryRead }),
  }
  checkIdentity(read, entity)
  return { entity, section: read }
}

function identity(read: Section): Pick<Entity, 'key'> {
  const parts = read.texts('key_vars')
  if (parts.length > 1) return { key: [...new Set(parts)] }
  return { key: [read.text('id_field') ?? parts[0] ?? 'id'] }
}

/** Checks the key: its slots must be fields, unless the id is derived; a compound key needs a field that displays it. */
function checkIdentity(read: Section, entity: Entity): void {
  const fields = entity.fields.map(({ name }) => name)
  const elsewhere = entity.idFrom !== undefined || entity.implicitIdentity
  const compound = entity.key.length > 1
  if (compound && !read.has('id_field') && !elsewhere) {
    read.broken(rule('key_without_id', { slot: entity.key.at(-1) ?? '' }), 'key_vars')
  }
  if (!compound && elsewhere) return
  for (const slot of entity.key) {
    if (!fields.includes(slot)) read.unknown(compound ? 'key_vars' : 'id_field', 'field', slot, fields)
  }
}

function readField(read: Section, name: string, { tree, at }: Entry, values: Values): Field[] {
  const where = `${read.where}.fields.${name}`
  if (!checkName(name, where, at, read.notes)) return []
  const field = Section.of(tree, where, [...FIELD_KEYS, ...interchangeKeys(tree)], read.notes)
  if (!field) return []
  const value =
    field.has('field_type') && !field.has('value_ref')
      ? { type: readType(field, values) }
      : valueOf(field, values)
  const description = proseOf(field) ?? ('description' in value ? value.description : undefined)
  const presentation = field.choice('agent_presentation', ['default', 'reference_only', 'lossy'])
  const textual = value.type.kind === 'string' || value.type.kind === 'blob'
  if (presentation && !textual) field.broken(rule('presentation_unfit', {}), 'agent_presentation')
  if (field.has('attachment_media')) checkMedia(field, value.type.kind === 'blob')
  const derive = readDerive(field)
  return [
    {
      name,
      type: value.type,
      ...('name' in value && value.name !== undefined && { value: value.name }),
      ...(description !== undefined && { description }),
      required: field.flag('required'),
      path: field.steps('path') ?? [name],
      ...(derive && { derive }),
      ...(presentation && presentation !== 'default' && { presentation }),
    },
  ]
}

/** The interchange form repeats the type on each slot. */
function interchangeKeys(tree: Entry['tree']): readonly string[] {
  return tree.kind === 'map' && tree.entries.has('field_type') ? [...MIRROR_KEYS, 'name'] : []
}

function checkMedia(field: Section, blob: boolean): void {
  field.choice('attachment_media', ['generic', 'image', 'audio', 'video', 'document'])
  if (!blob) field.broken(rule('media_unfit', {}), 'attachment_media')
}

const DERIVE_KEYS = {
  segments_after_prefix: ['prefix', 'alternate_prefixes', 'part_index'],
  name_value_array_lookup: ['equals', 'match_key_field', 'value_field', 'case_insensitive'],
  object_key_lookup: ['key', 'case_insensitive'],
  colon_pair_prefer_keys_else_block_refs: ['prefer_keys', 'blocks_key', 'ref_field', 'segment'],
} as const
const DERIVE_TYPES = [
  'segments_after_prefix', 'name_value_array_lookup', 'object_key_lookup', 'colon_pair_prefer_keys_else_block_refs',
] as const // prettier-ignore

function readDerive(field: Section): Derive | undefined {
  const tree = field.get('derive')
  const any = Object.values(DERIVE_KEYS).flat()
  const said = tree && Section.of(tree, field.path('derive'), ['type', ...any], field.notes)
  if (!said?.need('type')) return undefined
  const type = said.choice('type', DERIVE_TYPES)
  switch (type) {
    case undefined:
      return undefined
    case 'segments_after_prefix': {
      const prefixes = [said.needText('prefix') ?? '', ...said.texts('alternate_prefixes')]
      return { type: 'segment_after_prefix', prefixes, index: said.count('part_index') ?? 0 }
    }
    case 'name_value_array_lookup':
      return {
        type: 'lookup_in_pairs',
        equals: said.needText('equals') ?? '',
        nameField: said.text('match_key_field') ?? 'name',
        valueField: said.text('value_field') ?? 'value',
        ignoreCase: said.flag('case_insensitive'),
      }
    case 'object_key_lookup':
      return {
        type: 'lookup_key',
        key: said.needText('key') ?? '',
        ignoreCase: said.flag('case_insensitive'),
      }
    case 'colon_pair_prefer_keys_else_block_refs':
      return {
        type: 'colon_pair',
        keys: said.texts('prefer_keys'),
        list: said.needText('blocks_key') ?? '',
        field: said.text('ref_field') ?? 'ref',
        segment: said.needText('segment') ?? '',
      }
  }
}
