import type { Capability, Entity } from '../../../model.ts'
import type { Found, Preflight, PreflightValue } from '../../../preflight.ts'
import type { ReadCapability } from './capabilities.ts'
import type { ReadEntity } from '../domain/entities.ts'
import { Section } from '../../document/section.ts'
import { jsonOf, type Tree } from '../../document/tree.ts'
import { rule } from '../problems.ts'

const KINDS = ['hydrate_invoke_target', 'hydrate_entity_ref_param', 'query_pick', 'label_ids_delta'] as const
const KEYS = {
  hydrate_invoke_target: ['get', 'prefix'],
  hydrate_entity_ref_param: ['param', 'get', 'merge'],
  query_pick: ['when', 'query', 'scope', 'pick', 'merge'],
  label_ids_delta: ['add_when', 'remove_when', 'lookup', 'from_preflight', 'merge'],
} as const

/** Adds to each capability the reads before it. The names in them must exist and fit. */
export function withPreflights(
  capabilities: readonly ReadCapability[],
  entities: readonly ReadEntity[],
): readonly ReadCapability[] {
  const byName = new Map(capabilities.map(({ capability }) => [capability.name, capability]))
  const entityByName = new Map(entities.map(({ entity }) => [entity.name, entity]))
  return capabilities.map((read) => {
    const items = read.section.items('preflight')
    if (items.length === 0) return read
    const { section, capability } = read
    if (['query', 'search', 'get'].includes(capability.kind))
      section.broken(rule('preflight_unfit', { kind: capability.kind }), 'preflight')
    const reader = new PreflightReader(section, capability, byName, entityByName)
    const preflight = items.flatMap((tree, index) => reader.step(tree, index) ?? [])
    return { ...read, capability: { ...capability, preflight } }
  })
}

class PreflightReader {
  readonly #section: Section
  readonly #capability: Capability
  readonly #capabilities: ReadonlyMap<string, Capability>
  readonly #entities: ReadonlyMap<string, Entity>
  readonly #prefixes = new Set<string>()
  readonly #variables = new Set<string>()

  constructor(
    section: Section,
    capability: Capability,
    capabilities: ReadonlyMap<string, Capability>,
    entities: ReadonlyMap<string, Entity>,
  ) {
    this.#section = section
    this.#capability = capability
    this.#capabilities = capabilities
    this.#entities = entities
  }

  step(tree: Tree, index: number): Preflight | undefined {
    const where = `${this.#section.path('preflight')}[${index}]`
    const any = Object.values(KEYS).flat()
    const said = Section.of(tree, where, ['kind', ...any], this.#section.notes)
    const kind = said?.need('kind') && said.choice('kind', KINDS)
    if (!said || kind === undefined) return undefined
    for (const key of said.tree.entries.keys()) {
      const own: readonly string[] = ['kind', ...KEYS[kind]]
      if (any.some((known) => known === key) && !own.includes(key))
        said.broken(rule('preflight_key_unfit', { step: kind, key }), key)
    }
    switch (kind) {
      case 'hydrate_invoke_target':
        return this.#target(said)
      case 'hydrate_entity_ref_param':
        return this.#reference(said)
      case 'query_pick':
        return this.#pick(said)
      case 'label_ids_delta':
        return this.#labels(said)
    }
  }

  #target(step: Section): Preflight {
    const get = this.#used(step, 'get', ['get'], this.#capability.entity)
    const prefix = step.needText('prefix') ?? ''
    if (this.#capability.kind === 'create') step.broken(rule('preflight_without_target', {}), 'kind')
    if (this.#prefixes.has(prefix)) step.twice('prefix', 'prefix', prefix)
    this.#prefixes.add(prefix)
    return { kind: 'target', get: get?.name ?? '', prefix }
  }

  #reference(step: Section): Preflight {
    const parameter = this.#parameter(step, 'param') ?? ''
    const type = this.#capability.parameters.find(({ name }) => name === parameter)?.type
    if (type && type.kind !== 'reference')
      step.broken(rule('preflight_not_reference', { parameter }), 'param')
    const get = this.#used(step, 'get', ['get'], type?.kind === 'reference' ? type.entity : undefined)
    return { kind: 'reference', parameter, get: get?.name ?? '', found: this.#found(step, get) }
  }

  #pick(step: Section): Preflight {
    const when = step.has('when') ? this.#parameter(step, 'when') : undefined
    const query = this.#used(step, 'query', ['query', 'search'])
    if (step.need('scope') && step.entries('scope').length === 0)
      step.broken(rule('preflight_unscoped', {}), 'scope')
    const declared = query?.parameters.map(({ name }) => name) ?? []
    const bindings = step.entries('scope').flatMap(([parameter, { tree }]) => {
      if (query && !declared.includes(parameter)) step.unknown('scope', 'parameter', parameter, declared)
      const value = this.#value(tree, step.path(`scope.${parameter}`))
      return value ? [{ parameter, value }] : []
    })
    const pick = step.need('pick')
    const picked = pick && Section.of(pick, step.path('pick'), ['field', 'equals_param'], step.notes)
    const field = picked && this.#field(picked, 'field', query)
    const equals = picked && this.#parameter(picked, 'equals_param')
    return {
      kind: 'pick',
      ...(when !== undefined && { when }),
      query: query?.name ?? '',
      bindings,
      field: field ?? '',
      equals: equals ?? '',
      found: this.#found(step, query),
    }
  }

  #labels(step: Section): Preflight {
    const query = this.#used(step, 'lookup', ['query', 'search'])
    const fields = this.#fieldsOf(query)
    if (query && !['id', 'name'].every((name) => fields.includes(name)))
      step.broken(rule('preflight_labels_unfit', { entity: query.entity }), 'lookup')
    const from = step.need('from_preflight')
    const at = from && this.#inTarget(from, step.path('from_preflight'))
    return {
      kind: 'labels',
      add: this.#parameter(step, 'add_when') ?? '',
      remove: this.#parameter(step, 'remove_when') ?? '',
      query: query?.name ?? '',
      prefix: at?.prefix ?? '',
      path: at?.path ?? [],
      variable: this.#variable(step, step.needText('merge') ?? ''),
    }
  }

  #value(tree: Tree, where: string): PreflightValue | undefined {
    const read = Section.of(tree, where, ['from_param', 'from_preflight', 'literal'], this.#section.notes)
    if (!read) return undefined
    if (read.has('from_param')) return { kind: 'parameter', name: this.#parameter(read, 'from_param') ?? '' }
    const from = read.get('from_preflight')
    if (from) {
      const at = this.#inTarget(from, read.path('from_preflight'))
      return at && { kind: 'target', ...at }
    }
    const literal = read.need('literal')
    return literal && { kind: 'literal', value: jsonOf(literal) }
  }

  #inTarget(
    tree: Tree,
    where: string,
  ): { readonly prefix: string; readonly path: readonly string[] } | undefined {
    const read = Section.of(tree, where, ['prefix', 'path'], this.#section.notes)
    const prefix = read?.needText('prefix')
    if (!read || prefix === undefined) return undefined
    if (!this.#prefixes.has(prefix)) read.unknown('prefix', 'prefix', prefix, this.#prefixes)
    read.need('path')
    return { prefix, path: read.steps('path') ?? [] }
  }

  /** The capability under a key: it must have one of these kinds and, if given, this entity. */
  #used(step: Section, key: string, kinds: readonly string[], entity?: string): Capability | undefined {
    const name = step.needText(key)
    if (name === undefined) return undefined
    const found = this.#capabilities.get(name)
    if (!found) step.unknown(key, 'capability', name, this.#capabilities.keys())
    else if (!kinds.includes(found.kind) || (entity !== undefined && found.entity !== entity))
      step.broken(
        rule('preflight_capability_unfit', {
          name,
          kind: found.kind,
          entity: found.entity,
          kinds,
          of: entity,
        }),
        key,
      )
    return found
  }

  #parameter(step: Section, key: string): string | undefined {
    const name = step.needText(key)
    const known = this.#capability.parameters.map((parameter) => parameter.name)
    if (name !== undefined && !known.includes(name)) step.unknown(key, 'parameter', name, known)
    return name
  }

  #found(step: Section, from: Capability | undefined): Found[] {
    step.need('merge')
    return step.entries('merge').map(([variable, { tree }]) => {
      const field = tree.kind === 'scalar' ? String(tree.value) : ''
      const fields = this.#fieldsOf(from)
      if (from && !fields.includes(field)) step.unknown(`merge.${variable}`, 'field', field, fields)
      return { variable: this.#variable(step, variable), field }
    })
  }

  #field(step: Section, key: string, from: Capability | undefined): string | undefined {
    const name = step.needText(key)
    const fields = this.#fieldsOf(from)
    if (name !== undefined && from && !fields.includes(name)) step.unknown(key, 'field', name, fields)
    return name
  }

  #fieldsOf(capability: Capability | undefined): readonly string[] {
    return (capability && this.#entities.get(capability.entity)?.fields.map(({ name }) => name)) ?? []
  }

  /** A step sets each variable once, and none that describes the session. */
  #variable(step: Section, name: string): string {
    if (this.#variables.has(name)) step.twice('merge', 'variable', name)
    else if (name.startsWith('plasm_execute_'))
      step.broken(rule('preflight_variable_reserved', { name }), 'merge')
    this.#variables.add(name)
    return name
  }
}
