import type { Abi } from '../../evm/abi.ts'
import { problem } from '../../problems.ts'
import type { ServedCatalog } from '../../model.ts'
import { parseOrigin } from '../../origin.ts'
import type { Reading } from '../../source.ts'
import type { SourceFile } from '../reader.ts'
import { readAuth, readAuthOrigins } from './domain/auth.ts'
import { readCapability, type Around, type ReadCapability } from './mappings/capabilities.ts'
import { readEntity, type ReadEntity } from './domain/entities.ts'
import { freeze } from '../../../base/freeze.ts'
import { checkName, labelsOf } from './domain/names.ts'
import { Notes } from '../document/notes.ts'
import { withFilledRelations, withViews } from './compose.ts'
import { warnOfMissingCodec, withWrittenFields, withWrittenParameters } from './contracts.ts'
import { checkParts } from './parts.ts'
import { checkReferences } from './references.ts'
import { Section } from '../document/section.ts'
import { complete } from './complete.ts'
import { readTree, type Entry, type MapTree } from '../document/tree.ts'
import { withPreflights } from './mappings/preflight.ts'
import { readValues } from './domain/values.ts'
import { readViews } from './views.ts'

/** The text of one catalog. */
export interface PlasmSource {
  /** The path that the operator configured. */
  readonly path: string
  /** The id of the catalog unless its text has one. */
  readonly id: string
  /** `domain.yaml`, or the whole catalog in one file. */
  readonly domain: SourceFile
  /** `mappings.yaml`; absent if the whole catalog is one file. */
  readonly mappings?: SourceFile
  /** The codec of contracts; without it capabilities that read contracts are not supported. */
  readonly abi?: Abi
}

const KEYS = [
  'version', 'http_backend', 'values', 'entities', 'capabilities', 'auth', 'oauth', 'views', 'schema_overlay',
  'registry_aliases', 'entry_id', 'description',
] // prettier-ignore

/**
 * Reads a Plasm catalog: `domain.yaml` with `mappings.yaml`, both in one file (`mappings:` at its top), or the interchange
 * form (each capability has its template). Reports every problem with file and line. Parts that are not supported are
 * loaded and marked on the capability that needs them.
 */
export function readPlasm(source: PlasmSource): Reading {
  const notes = new Notes()
  const tree = readTree(source.domain.file, source.domain.text, notes)
  const other = source.mappings && readTree(source.mappings.file, source.mappings.text, notes)
  const inside = tree?.kind === 'map' ? tree.entries.get('mappings') : undefined
  const section = tree && Section.of(tree, '', source.mappings ? KEYS : [...KEYS, 'mappings'], notes)
  const mappings = section && mappingsOf(other ?? inside?.tree, section, source, notes)
  const id = section ? idOf(section, source.id) : source.id
  const catalog =
    section && mappings !== 'missing' && readCatalog(id, section, mappings || undefined, source.abi)
  const { errors, warnings } = notes
  const reading = { path: source.path, id, errors, warnings }
  return catalog && errors.length === 0 ? { ...reading, catalog: freeze(catalog) } : reading
}

/** The templates; undefined for the interchange form; `missing` if they are required and absent. */
function mappingsOf(
  tree: ReturnType<typeof readTree>,
  section: Section,
  source: PlasmSource,
  notes: Notes,
): MapTree['entries'] | undefined | 'missing' {
  if (tree?.kind === 'map') return tree.entries
  if (tree) {
    Section.of(tree, source.mappings?.file ?? 'mappings', [], notes)
    return 'missing'
  }
  if (source.mappings) return 'missing'
  const interchange = section
    .entries('capabilities')
    .some(([, entry]) => entry.tree.kind === 'map' && entry.tree.entries.has('mapping'))
  if (interchange) return undefined
  section.need('mappings')
  return 'missing'
}

function idOf(section: Section, otherwise: string): string {
  const id = section.text('entry_id')?.trim() || otherwise
  checkName(id, 'the catalog', section.at('entry_id'), section.notes)
  return id
}

function readCatalog(
  id: string,
  section: Section,
  mappings: MapTree['entries'] | undefined,
  abi: Abi | undefined,
): ServedCatalog {
  const { notes } = section
  for (const key of ['http_backend', 'entities', 'capabilities']) section.need(key)
  const lacking = new Set<string>()
  const auth = readAuth(section, id, lacking)
  const rows = section.entries('entities')
  const values = readValues(section.entries('values'), new Set(rows.map(([name]) => name)), notes)
  const plainEntities = rows.flatMap(([name, entry]) => readEntity(name, entry, values, section) ?? [])
  const capabilityRows = section.entries('capabilities')
  const around: Around = {
    values,
    ...(mappings && { mappings }),
    labels: labels(capabilityRows),
    lacks: [...lacking],
    ...(abi && { abi }),
  }
  const plainCapabilities = capabilityRows.flatMap(
    ([name, entry]) => readCapability(name, entry, around, section) ?? [],
  )
  const views = readViews(section, plainEntities, plainCapabilities, values)
  const entities = withWrittenFields(withFilledRelations(plainEntities, views), plainCapabilities)
  const written = plainCapabilities.map(withWrittenParameters)
  const capabilities = withPreflights(withViews(written, views), entities)
  checkParts(section)
  warnOfMissingCodec(capabilities, section)
  checkReferences(entities, capabilities, section)
  warnOfOrphans(capabilityRows, mappings, notes)
  const description = section.text('description')?.trim()
  const called = otherOrigins(capabilities)
  const authOrigins = readAuthOrigins(section, called)
  const catalog: ServedCatalog = {
    id,
    version: section.count('version') ?? 0,
    ...(description !== undefined && description !== '' && { description }),
    origin: originOf(section),
    otherOrigins: called,
    aliases: aliases(section, id),
    entities: entities.map(({ entity }) => entity),
    capabilities: capabilities.map(({ capability }) => capability),
    auth,
    ...(authOrigins.length > 0 && { authOrigins }),
    unsupported: lackingParts(section),
  }
  return complete(catalog, sectionsOf(entities, capabilities), notes)
}

/** The places of entities and capabilities, for problems that only the whole model shows. */
function sectionsOf(entities: readonly ReadEntity[], capabilities: readonly ReadCapability[]) {
  return {
    entity: new Map(entities.map((read) => [read.entity.name, read.section])),
    capability: new Map(capabilities.map((read) => [read.capability.name, read.section])),
    stepUnknown: new Map(
      capabilities.flatMap(({ capability, template }) =>
        template.stepUnknown === undefined ? [] : [[capability.name, template.stepUnknown] as const],
      ),
    ),
  }
}

function labels(rows: readonly (readonly [string, Entry])[]): ReadonlyMap<string, string> {
  const byEntity = new Map<string, string[]>()
  for (const [name, { tree }] of rows) {
    const said =
      tree.kind === 'map' ? (tree.entries.get('entity') ?? tree.entries.get('domain'))?.tree : undefined
    const entity = said?.kind === 'scalar' ? String(said.value) : ''
    byEntity.set(entity, [...(byEntity.get(entity) ?? []), name])
  }
  return new Map([...byEntity].flatMap(([entity, names]) => [...labelsOf(entity, names)]))
}

function originOf(section: Section): string {
  const text = section.text('http_backend')?.trim()
  if (text === undefined) return ''
  const origin = parseOrigin(text)
  if (origin !== undefined) return origin
  section.notes.error(
    problem('bad_url', { where: 'http_backend', value: text.slice(0, 200) }, section.at('http_backend')),
  )
  return ''
}

/** Features of the whole catalog that are not supported. */
function lackingParts(section: Section): string[] {
  if (!section.has('schema_overlay')) return []
  section.notes.warn(problem('part_not_done', { key: 'schema_overlay' }, section.at('schema_overlay')))
  return ['schema_overlay']
}

function otherOrigins(capabilities: readonly ReadCapability[]): string[] {
  return [...new Set(capabilities.flatMap(({ template }) => template.origins))].toSorted()
}

function aliases(section: Section, id: string): string[] {
  const seen = new Set([id.toLowerCase()])
  return section.texts('registry_aliases').flatMap((alias) => {
    const name = alias.trim()
    checkName(name, 'registry_aliases', section.at('registry_aliases'), section.notes)
    if (seen.has(name.toLowerCase())) {
      const params = { where: 'the catalog', what: 'name', name }
      section.notes.error(problem('duplicate_name', params, section.at('registry_aliases')))
      return []
    }
    seen.add(name.toLowerCase())
    return [name]
  })
}

/** Templates that no capability uses. Names that start with `x-` hold anchors. */
function warnOfOrphans(
  rows: readonly (readonly [string, Entry])[],
  mappings: MapTree['entries'] | undefined,
  notes: Notes,
) {
  if (!mappings) return
  const names = new Set(rows.map(([name]) => name))
  for (const [name, { at }] of mappings) {
    if (names.has(name) || name.startsWith('x-')) continue
    const nearest = notes.nearest(name, names)
    notes.warn(problem('orphan_mapping', { name, nearest }, { ...at, nearest }))
  }
}
