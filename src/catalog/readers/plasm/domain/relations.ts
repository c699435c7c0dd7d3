import type { Binding, Relation, Via } from '../../../model.ts'
import { checkName } from './names.ts'
import { Section } from '../../document/section.ts'
import { shapeOf, type Entry, type Tree } from '../../document/tree.ts'
import { proseOf } from './values.ts'
import { rule } from '../problems.ts'

const RELATION_KEYS = ['target', 'cardinality', 'description', 'discovery', 'materialize']
const KINDS = [
  'unavailable', 'from_parent_get', 'query_scoped', 'query_scoped_bindings', 'get_scoped_bindings',
] as const // prettier-ignore

/** Reads the `relations` of an entity. The names in them are checked after the whole catalog is read. */
export function readRelations(entity: Section): Relation[] {
  return entity.entries('relations').flatMap(([name, entry]) => readRelation(entity, name, entry))
}

function readRelation(entity: Section, name: string, { tree, at }: Entry): Relation[] {
  const where = `${entity.where}.relations.${name}`
  if (!checkName(name, where, at, entity.notes)) return []
  const interchange = tree.kind === 'map' && tree.entries.has('target_resource')
  const known = interchange ? [...RELATION_KEYS, 'target_resource', 'name'] : RELATION_KEYS
  const read = Section.of(tree, where, known, entity.notes)
  const target = read?.needText(interchange ? 'target_resource' : 'target')
  if (!read || target === undefined) return []
  read.need('cardinality')
  const many = read.choice('cardinality', ['many', 'one'], 'one') === 'many'
  const discovery = read.get('discovery')
  if (discovery)
    Section.of(discovery, `${where}.discovery`, ['qualifier_terms', 'traversal_weight'], entity.notes)
  const description = proseOf(read)
  return [{ name, target, many, ...(description !== undefined && { description }), via: readVia(read, many) }]
}

function readVia(relation: Section, many: boolean): Via {
  const otherwise: Via = { kind: many ? 'none' : 'embedded' }
  const tree = relation.get('materialize')
  const known = ['kind', 'path', 'capability', 'param', 'bindings']
  const read = tree && Section.of(tree, relation.path('materialize'), known, relation.notes)
  if (!read?.need('kind')) return otherwise
  const kind = read.choice('kind', KINDS)
  switch (kind) {
    case undefined:
    case 'unavailable':
      return otherwise
    case 'from_parent_get':
      return { kind: 'parent', path: parentPath(read) }
    case 'query_scoped': {
      onlyFor(read, many, 'many', kind)
      const parameter = read.needText('param')
      return {
        kind: 'query',
        capability: read.needText('capability') ?? '',
        bindings: parameter === undefined ? [] : [{ parameter }],
      }
    }
    case 'query_scoped_bindings':
      onlyFor(read, many, 'many', kind)
      return { kind: 'query', capability: read.needText('capability') ?? '', bindings: bindings(read) }
    case 'get_scoped_bindings':
      onlyFor(read, many, 'one', kind)
      return { kind: 'get', capability: read.needText('capability') ?? '', bindings: bindings(read) }
  }
}

function onlyFor(read: Section, many: boolean, wanted: 'many' | 'one', kind: string): void {
  if (many === (wanted === 'many')) return
  read.broken(rule('relation_cardinality', { kind, wanted }), 'kind')
}

function bindings(read: Section): Binding[] {
  if (read.need('bindings') && read.entries('bindings').length === 0) {
    read.broken(rule('bindings_empty', {}), 'bindings')
  }
  return read.entries('bindings').flatMap(([parameter, { tree }]) => {
    if (tree.kind === 'scalar' && typeof tree.value === 'string') return [{ parameter, field: tree.value }]
    read.wrong(`bindings.${parameter}`, tree, 'the name of a field of the parent')
    return []
  })
}

function parentPath(read: Section): (string | { readonly wildcard: true })[] {
  if (read.need('path') && read.items('path').length === 0) {
    read.broken(rule('path_empty', {}), 'path')
  }
  return read.items('path').flatMap((step, index) => parentStep(read, step, index))
}

function parentStep(read: Section, step: Tree, index: number): (string | { readonly wildcard: true })[] {
  const where = `${read.where}.path[${index}]`
  const section = Section.of(step, where, ['key', 'wildcard'], read.notes)
  if (!section) return []
  if (section.has('key') === section.has('wildcard')) {
    read.wrong(`path[${index}]`, step, 'either `key` or `wildcard: true`')
    return []
  }
  if (section.has('wildcard')) {
    if (!section.flag('wildcard')) section.broken(rule('wildcard_not_true', {}), 'wildcard')
    return [{ wildcard: true }]
  }
  const key = section.get('key')
  if (key?.kind === 'scalar' && (typeof key.value === 'string' || typeof key.value === 'number'))
    return [String(key.value)]
  section.wrong('key', key ?? step, `a text, not ${shapeOf(key ?? step)}`)
  return []
}
