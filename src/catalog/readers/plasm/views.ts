import type { Json } from '../../../base/canonical.ts'
import type { Capability, Entity } from '../../model.ts'
import type { View, ViewBinding, ViewNode, ViewOutput, ViewRelation, ViewScope } from '../../view.ts'
import type { ReadCapability } from './mappings/capabilities.ts'
import type { ReadEntity } from './domain/entities.ts'
import { checkName } from './domain/names.ts'
import { Section } from '../document/section.ts'
import { jsonOf, type Entry, type Tree } from '../document/tree.ts'
import type { Values } from './domain/values.ts'
import { rule } from './problems.ts'

const VIEW_KEYS = ['description', 'capability', 'entity', 'scope', 'nodes', 'output', 'relation_outputs']
const VALUE_KEYS = ['kind', 'param', 'value', 'node', 'field', 'equals', 'template', 'where_field']
const BINDINGS = ['scope', 'literal', 'node_field', 'computed'] as const
const OUTPUTS = [
  'scope', 'node_row_count', 'node_row_count_positive', 'node_field', 'node_field_histogram_json',
  'node_any_row_field_equals', 'computed',
] as const // prettier-ignore
const RELATIONS = ['first_node_row_where', 'node_rows_where', 'node_all_rows', 'node_single_row'] as const

/** The longest template of a view, in characters. */
const MAX_TEXT = 32_768

/** A view as read, for the capabilities that answer with it. */
export interface ReadView {
  readonly view: View
  readonly entity: string
  readonly section: Section
}

interface Around {
  readonly values: Values
  readonly entities: ReadonlyMap<string, Entity>
  readonly capabilities: ReadonlyMap<string, Capability>
}

/** Reads `views`. Everything that a view names must exist and fit. */
export function readViews(
  catalog: Section,
  entities: readonly ReadEntity[],
  capabilities: readonly ReadCapability[],
  values: Values,
): ReadonlyMap<string, ReadView> {
  const around = {
    values,
    entities: new Map(entities.map(({ entity }) => [entity.name, entity])),
    capabilities: new Map(capabilities.map(({ capability }) => [capability.name, capability])),
  }
  return new Map(
    catalog.entries('views').flatMap(([name, entry]) => {
      const read = readView(catalog, name, entry, around)
      return read ? [[name, read] as const] : []
    }),
  )
}

function readView(catalog: Section, name: string, { tree, at }: Entry, around: Around): ReadView | undefined {
  const where = `views.${name}`
  if (!checkName(name, where, at, catalog.notes)) return undefined
  const section = Section.of(tree, where, VIEW_KEYS, catalog.notes)
  const entity = section && named(section, 'entity', 'entity', around.entities)
  if (!section || !entity) return undefined
  named(section, 'capability', 'capability', around.capabilities)
  const scope = readScope(section, around.values)
  const reader = new ViewReader(section, entity, around, new Set(scope.map((one) => one.name)))
  const nodes = reader.nodes()
  const outputs = reader.outputs()
  const view = { scope: keyed(scope, outputs, entity), nodes, outputs, relations: reader.relations() }
  return { view, entity: entity.name, section }
}

/** The named object under a key; notes an error if it does not exist. */
function named<T>(
  section: Section,
  key: string,
  what: string,
  options: ReadonlyMap<string, T>,
): T | undefined {
  const name = section.needText(key)
  const found = name === undefined ? undefined : options.get(name)
  if (name !== undefined && !found) section.unknown(key, what, name, options.keys())
  return found
}

const INJECTED = ['session_ui_origin', 'session_transport_origin'] as const

function readScope(view: Section, values: Values): ViewScope[] {
  const names = new Set<string>()
  return view.items('scope').flatMap((tree, index) => {
    const where = view.path(`scope[${index}]`)
    const known = ['name', 'value_ref', 'required', 'inject', 'description']
    const read = Section.of(tree, where, known, view.notes)
    const name = read?.needText('name')
    if (!read || name === undefined || !checkName(name, where, read.at('name'), view.notes)) return []
    if (names.has(name)) read.twice('name', 'scope', name)
    names.add(name)
    const value = read.text('value_ref')
    if (value !== undefined && !values.row(value)) read.unknown('value_ref', 'value', value, values.names)
    const injected = read.choice('inject', INJECTED)
    return [{ name, ...(injected && { injected: 'origin' as const }) }]
  })
}

/** Maps slots of the key to the scope: the slot of the same name, the one that displays it, or the only one. */
function keyed(scope: readonly ViewScope[], outputs: readonly ViewOutput[], { key }: Entity): ViewScope[] {
  const asked = scope.filter(({ injected }) => !injected)
  return scope.map((one) => {
    if (one.injected) return one
    const shows = (slot: string) =>
      outputs.some(({ field, value }) => field === slot && value.kind === 'scope' && value.name === one.name)
    const slot = key.find((name) => name === one.name) ?? key.find(shows)
    const only = asked.length === 1 && key.length === 1 ? key[0] : undefined
    const given = slot ?? only
    return given === undefined ? one : { ...one, key: given }
  })
}

class ViewReader {
  readonly #view: Section
  readonly #entity: Entity
  readonly #around: Around
  readonly #scope: ReadonlySet<string>
  /** The entities of the nodes so far. */
  readonly #rows = new Map<string, Entity>()

  constructor(view: Section, entity: Entity, around: Around, scope: ReadonlySet<string>) {
    this.#view = view
    this.#entity = entity
    this.#around = around
    this.#scope = scope
  }

  nodes(): ViewNode[] {
    this.#view.need('nodes')
    return this.#view.items('nodes').flatMap((tree, index) => this.#node(tree, index))
  }

  outputs(): ViewOutput[] {
    this.#view.need('output')
    const fields = new Map(this.#entity.fields.map((field) => [field.name, field]))
    return this.#view.entries('output').flatMap(([field, { tree }]) => {
      if (!fields.has(field)) this.#view.unknown('output', 'field', field, fields.keys())
      const value = this.#output(tree, this.#view.path(`output.${field}`))
      return value ? [{ field, value }] : []
    })
  }

  relations(): ViewRelation[] {
    return this.#view.items('relation_outputs').flatMap((tree, index) => this.#relation(tree, index))
  }

  #node(tree: Tree, index: number): ViewNode[] {
    const read = Section.of(
      tree,
      this.#view.path(`nodes[${index}]`),
      ['id', 'capability', 'bind'],
      this.#view.notes,
    )
    const id = read?.needText('id')
    const capability = read && named(read, 'capability', 'capability', this.#around.capabilities)
    const entity = capability && this.#around.entities.get(capability.entity)
    if (!read || id === undefined || !capability || !entity) return []
    if (this.#rows.has(id)) read.twice('id', 'node', id)
    if (!['query', 'search', 'get'].includes(capability.kind)) {
      const { name, kind } = capability
      read.broken(rule('view_node_kind', { capability: name, kind }), 'capability')
    }
    const bindings = read.entries('bind').flatMap(([name, entry]) => {
      checkBound(read, name, capability, entity)
      const value = this.#binding(entry.tree, read.path(`bind.${name}`))
      return value ? [{ name, value }] : []
    })
    this.#rows.set(id, entity)
    return [{ id, capability: capability.name, bindings }]
  }

  #binding(tree: Tree, where: string): ViewBinding | undefined {
    const read = Section.of(tree, where, VALUE_KEYS, this.#view.notes)
    const kind = read?.need('kind') && read.choice('kind', BINDINGS)
    if (!read || kind === undefined) return undefined
    if (kind === 'literal') return { kind, value: constant(read, 'value') }
    return this.#plain(kind, read)
  }

  #output(tree: Tree, where: string): ViewOutput['value'] | undefined {
    const read = Section.of(tree, where, VALUE_KEYS, this.#view.notes)
    const kind = read?.need('kind') && read.choice('kind', OUTPUTS)
    if (!read || kind === undefined) return undefined
    switch (kind) {
      case 'scope':
      case 'node_field':
      case 'computed':
        return this.#plain(kind, read)
      case 'node_row_count':
        return { kind: 'count', node: this.#nodeOf(read) }
      case 'node_row_count_positive':
        return { kind: 'any', node: this.#nodeOf(read) }
      case 'node_field_histogram_json':
        return { kind: 'histogram', ...this.#fieldOf(read) }
      case 'node_any_row_field_equals':
        return { kind: 'some', ...this.#fieldOf(read), equals: constant(read, 'equals') }
    }
  }

  #plain(
    kind: 'scope' | 'node_field' | 'computed',
    read: Section,
  ): Exclude<ViewBinding, { kind: 'literal' }> {
    if (kind === 'node_field') return { kind: 'field', ...this.#fieldOf(read) }
    if (kind === 'computed') return { kind: 'template', template: templateOf(read) }
    const name = read.needText('param') ?? ''
    if (name !== '' && !this.#scope.has(name)) read.unknown('param', 'scope', name, this.#scope)
    return { kind: 'scope', name }
  }

  #nodeOf(read: Section): string {
    named(read, 'node', 'node', this.#rows)
    return read.text('node') ?? ''
  }

  #fieldOf(read: Section, key = 'field'): { readonly node: string; readonly field: string } {
    const rows = named(read, 'node', 'node', this.#rows)
    const field = read.needText(key) ?? ''
    const known = rows?.fields.map(({ name }) => name) ?? []
    if (rows && field !== '' && !known.includes(field)) read.unknown(key, 'field', field, known)
    return { node: read.text('node') ?? '', field }
  }

  #relation(tree: Tree, index: number): ViewRelation[] {
    const where = this.#view.path(`relation_outputs[${index}]`)
    const read = Section.of(tree, where, ['relation', 'target', 'cardinality', 'binding'], this.#view.notes)
    const declared = new Map(this.#entity.relations.map((one) => [one.name, one]))
    const relation = read && named(read, 'relation', 'relation', declared)
    const binding = read?.need('binding')
    const from = binding && read && Section.of(binding, read.path('binding'), VALUE_KEYS, read.notes)
    const kind = from?.need('kind') && from.choice('kind', RELATIONS)
    if (!read || !relation || !from || kind === undefined) return []
    const { name, target, many } = relation
    const rows = named(from, 'node', 'node', this.#rows)
    if (rows && rows.name !== target) {
      from.broken(rule('view_node_unfit', { relation: name, target, entity: rows.name }))
    }
    checkAgrees(read, 'target', target)
    checkAgrees(read, 'cardinality', many ? 'many' : 'one')
    const node = from.text('node') ?? ''
    const first = !many || kind === 'first_node_row_where' || kind === 'node_single_row'
    if (kind === 'node_all_rows' || kind === 'node_single_row') return [{ relation: name, node, first }]
    const { field } = this.#fieldOf(from, 'where_field')
    return [{ relation: name, node, first, where: { field, equals: constant(from, 'equals') } }]
  }
}

/** Checks a binding of a node: a parameter, or a slot of the key for a get; anything if nothing is declared. */
function checkBound(read: Section, name: string, { kind, parameters }: Capability, entity: Entity): void {
  const declared = parameters.map((parameter) => parameter.name)
  const known = kind === 'get' ? ['id', ...entity.key, ...declared] : declared
  if (known.length > 0 && !known.includes(name)) read.unknown('bind', 'parameter', name, known)
}

/** Checks that a relation output agrees with the declared relation. */
function checkAgrees(read: Section, key: 'target' | 'cardinality', declared: string): void {
  const said = read.text(key)
  if (said !== undefined && said !== declared)
    read.broken(rule('view_relation_differs', { key, declared }), key)
}

function templateOf(read: Section): string {
  const template = read.needText('template') ?? ''
  if (template.length > MAX_TEXT) {
    read.broken(rule('view_template_too_long', { most: MAX_TEXT }), 'template')
  }
  return template
}

function constant(read: Section, key: string): Json {
  const tree = read.need(key)
  return tree ? jsonOf(tree) : null
}
