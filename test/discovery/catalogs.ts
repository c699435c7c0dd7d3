import { pin } from '../../src/catalog/digest.ts'
import { catalogSet, type CatalogSet } from '../../src/catalog/lookup.ts'
import type { Capability, CapabilityKind, ServedCatalog, Entity } from '../../src/catalog/model.ts'

interface EntitySketch {
  readonly description?: string
  readonly fields?: readonly string[]
  /** Relation name to target. */
  readonly relations?: Readonly<Record<string, string>>
  readonly terms?: readonly string[]
  /** Without capabilities: read through a relation. */
  readonly abstract?: true
  /** Labels of capabilities; the kind is the label's last word where it is one. */
  readonly can?: readonly string[]
}

const KINDS: readonly CapabilityKind[] = ['query', 'search', 'get', 'create', 'update', 'delete']

/** A catalog from a sketch, as a reader would have made it. */
export function sketch(
  id: string,
  entities: Readonly<Record<string, EntitySketch>>,
  aliases: readonly string[] = [],
): ServedCatalog {
  return {
    id,
    version: 1,
    origin: `https://${id}.example`,
    otherOrigins: [],
    aliases,
    entities: Object.entries(entities).map(([name, its]) => entityOf(name, its)),
    capabilities: Object.entries(entities).flatMap(([name, its]) =>
      (its.can ?? (its.abstract ? [] : ['query', 'get'])).map((label) => capabilityOf(name, label)),
    ),
    auth: { scheme: 'none' },
    unsupported: [],
  }
}

export function setOf(...catalogs: ServedCatalog[]): CatalogSet {
  return catalogSet(catalogs.map(pin))
}

function entityOf(name: string, its: EntitySketch): Entity {
  return {
    name,
    ...(its.description !== undefined && { description: its.description }),
    key: ['id'],
    implicitIdentity: false,
    abstract: its.abstract ?? false,
    aliases: [],
    fields: (its.fields ?? ['id']).map((field) => ({
      name: field,
      type: { kind: 'string', semantics: 'short' },
      required: false,
      path: [field],
    })),
    relations: Object.entries(its.relations ?? {}).map(([relation, target]) => ({
      name: relation,
      target,
      many: true,
      via: { kind: 'embedded' },
    })),
    terms: its.terms ?? [],
  }
}

function capabilityOf(entity: string, label: string): Capability {
  const kind = KINDS.find((one) => label.endsWith(one)) ?? 'action'
  return {
    name: `${entity.toLowerCase()}_${label.replaceAll('-', '_')}`,
    entity,
    kind,
    label,
    parameters: [],
    openInput: false,
    effect: kind === 'query' || kind === 'search' || kind === 'get' ? 'read' : 'write',
    omitAggregateScope: false,
    call: null,
    unsupported: [],
    terms: [],
  }
}
