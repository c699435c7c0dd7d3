import { indexOf } from '../catalog/lookup.ts'
import type { Catalog } from '../catalog/model.ts'
import type { Wave } from './record.ts'

/** An entity in a session: the meaning of an `e#`, for as long as the record lives. */
export interface ExposedEntity {
  /** `e1`, `e2`, …: in the order of exposure. */
  readonly symbol: string
  readonly catalog: string
  readonly digest: string
  readonly entity: string
  /** The wave that introduced it. */
  readonly revision: number
  /**
   * False once a later execute row pinned another digest of the catalog: the symbol is then rejected. It never gets
   * another meaning.
   */
  readonly live: boolean
}

/** The meaning of a symbol. */
type Meaning =
  | { readonly kind: 'entity'; readonly exposed: ExposedEntity }
  /** `m#`: a capability that programs call as a method of the entity. */
  | { readonly kind: 'method'; readonly exposed: ExposedEntity; readonly capability: string }
  /** `p#`: a field, relation or parameter name of the entity. */
  | { readonly kind: 'slot'; readonly exposed: ExposedEntity; readonly slot: string }

/** All symbols of a session: a pure function of its waves and the catalog models that they pin. */
export interface SymbolSpace {
  readonly revision: number
  /** In symbol order, including retired ones. */
  readonly entities: readonly ExposedEntity[]
  /** The meaning of `e3`, `m7` or `p12`; undefined for a symbol that was never allocated. */
  readonly meaning: (symbol: string) => Meaning | undefined
  /** The possible meanings of an entity's name or alias, in symbol order, including retired ones. */
  readonly named: (name: string) => readonly ExposedEntity[]
  /** The live exposure of an entity, if it has one. */
  readonly exposureOf: (catalog: string, entity: string) => ExposedEntity | undefined
  /** `m7` for a capability of the entity. */
  readonly methodSymbol: (exposed: ExposedEntity, capability: string) => string | undefined
  /** `p12` for a slot name of the entity. */
  readonly slotSymbol: (exposed: ExposedEntity, slot: string) => string | undefined
}

/**
 * Numbers the entities of the waves in order, then the methods and slots of each; a number is never reused.
 *
 * @param model returns the catalog model under a digest; the store keeps each as long as a record names it
 */
export function symbolSpace(waves: readonly Wave[], model: (digest: string) => Catalog): SymbolSpace {
  const current = new Map<string, string>()
  for (const wave of waves) for (const pick of wave.picks) current.set(pick.catalog, pick.digest)

  const entities: ExposedEntity[] = []
  const meanings = new Map<string, Meaning>()
  const symbols = new Map<ExposedEntity, ReadonlyMap<string, string>>()
  const live = new Map<string, ExposedEntity>()
  const names = new Map<string, ExposedEntity[]>()
  let numbered = 0
  let methods = 0
  let slots = 0

  for (const wave of waves) {
    numbered += wave.skip ?? 0
    methods += wave.skip ?? 0
    slots += wave.skip ?? 0
    for (const pick of wave.picks) {
      if (pick.entities.length === 0) continue
      const index = indexOf(model(pick.digest))
      for (const entity of pick.entities) {
        const exposed: ExposedEntity = {
          symbol: `e${++numbered}`,
          catalog: pick.catalog,
          digest: pick.digest,
          entity,
          revision: wave.revision,
          live: current.get(pick.catalog) === pick.digest,
        }
        entities.push(exposed)
        meanings.set(exposed.symbol, { kind: 'entity', exposed })
        if (exposed.live) live.set(nameIn(exposed.catalog, entity), exposed)
        for (const name of new Set([entity, ...(index.entities.get(entity)?.aliases ?? [])])) {
          const others = names.get(name)
          if (others) others.push(exposed)
          else names.set(name, [exposed])
        }

        const own = new Map<string, string>()
        for (const capability of index.capabilitiesOf(entity)) {
          const symbol = `m${++methods}`
          own.set(`m ${capability.name}`, symbol)
          meanings.set(symbol, { kind: 'method', exposed, capability: capability.name })
        }
        for (const slot of index.slotNamesOf(entity)) {
          const symbol = `p${++slots}`
          own.set(`p ${slot}`, symbol)
          meanings.set(symbol, { kind: 'slot', exposed, slot })
        }
        symbols.set(exposed, own)
      }
    }
  }

  return {
    revision: waves.at(-1)?.revision ?? 0,
    entities,
    meaning: (symbol) => meanings.get(symbol),
    named: (name) => names.get(name) ?? [],
    exposureOf: (catalog, entity) => live.get(nameIn(catalog, entity)),
    methodSymbol: (exposed, capability) => symbols.get(exposed)?.get(`m ${capability}`),
    slotSymbol: (exposed, slot) => symbols.get(exposed)?.get(`p ${slot}`),
  }
}

/** Neither part can contain a NUL, so the key is unambiguous. */
function nameIn(catalog: string, entity: string): string {
  return `${catalog}\0${entity}`
}

/** The number of the last symbol that these waves gave an entity: what `have` names. 0 if there is none. */
export function lastEntityNumber(waves: readonly Wave[]): number {
  let numbered = 0
  let last = 0
  for (const wave of waves) {
    numbered += wave.skip ?? 0
    for (const { entities } of wave.picks) {
      numbered += entities.length
      if (entities.length > 0) last = numbered
    }
  }
  return last
}

/**
 * What these waves say about a reader whose last entity symbol is `eN`: the revision up to which it holds every row (that of
 * the wave which ends with the symbol, or the one before if the reader holds only part of a wave); `lost` for a number that
 * was skipped because the store lost waves; `unknown` for one that no wave reaches. 0 is a reader without symbols.
 */
export function revisionHolding(waves: readonly Wave[], entityNumber: number): number | 'lost' | 'unknown' {
  if (entityNumber === 0) return 0
  let last = 0
  for (const wave of waves) {
    last += wave.skip ?? 0
    if (entityNumber <= last) return 'lost'
    const before = last
    for (const pick of wave.picks) last += pick.entities.length
    if (entityNumber === last && last > before) return wave.revision
    if (entityNumber < last) return wave.revision - 1
  }
  return 'unknown'
}

/** The revision of the last wave with which a session recovered from a loss of the store; 0 if there is none. */
export function lossRevision(waves: readonly Wave[]): number {
  const loss = waves.findLast(
    (wave, at) => wave.skip !== undefined && wave.generation > (waves[at - 1]?.generation ?? wave.generation),
  )
  return loss?.revision ?? 0
}
