import { isVisible as exists, mayUse } from '../../../catalog/uses.ts'
import { indexOf } from '../../../catalog/lookup.ts'
import type { Capability, Catalog } from '../../../catalog/model.ts'
import type { ExposedEntity } from '../../../session/exposure.ts'
import { problem } from '../../problems.ts'
import type { Name } from '../../syntax/tree.ts'
import type { Target } from './checked.ts'
import { listed, nameAt, type Context } from './context.ts'
import type { Scope } from './scope.ts'

/** The meaning of `e1`, `m1` or `p1`. */
export const SYMBOL = /^[emp][1-9]\d*$/

/** The entity under this name in the catalog, exposed or not. */
export function entityIn(catalog: Catalog, digest: string, name: string): Target | undefined {
  const entity = indexOf(catalog).entities.get(name)
  return entity && { catalog, digest, entity }
}

/** The catalog and entity of an exposure. */
function targetOf(scope: Scope, exposed: ExposedEntity): Target | undefined {
  return entityIn(scope.model(exposed.digest), exposed.digest, exposed.entity)
}

/** The entity's capabilities that the caller may use, in the catalog's order. */
export function capabilitiesOf(scope: Scope, target: Target): readonly Capability[] {
  const all = indexOf(target.catalog).capabilitiesOf(target.entity.name)
  return all.filter((capability) => mayUse(target.catalog.id, capability, scope.allows))
}

/** Whether the entity is visible to the caller: it is hidden when no capability of it is allowed. */
export function isVisible(scope: Scope, target: Target): boolean {
  return exists(target.catalog, target.entity.name, scope.allows)
}

interface Visible {
  readonly exposed: ExposedEntity
  readonly target: Target
}

/** The session's live entities that the caller may see, in symbol order. */
export function visibleEntities(scope: Scope): readonly Visible[] {
  return visibleAmong(scope, scope.space.entities)
}

function visibleAmong(scope: Scope, entities: readonly ExposedEntity[]): readonly Visible[] {
  const visible: Visible[] = []
  for (const exposed of entities) {
    const target = exposed.live ? targetOf(scope, exposed) : undefined
    if (target && isVisible(scope, target)) visible.push({ exposed, target })
  }
  return visible
}

/** The name of an entity in messages: its symbol with its name, or only the name if the session has no symbol for it. */
export function nameOf(scope: Scope, target: Target): string {
  const exposed = scope.space.exposureOf(target.catalog.id, target.entity.name)
  return exposed ? `${target.entity.name} (${exposed.symbol})` : target.entity.name
}

/** How a program writes the entity. */
export function symbolOf(scope: Scope, target: Target): string {
  return scope.space.exposureOf(target.catalog.id, target.entity.name)?.symbol ?? target.entity.name
}

type Lookup =
  | { readonly kind: 'found'; readonly target: Target }
  | { readonly kind: 'dead'; readonly exposed: ExposedEntity }
  | { readonly kind: 'ambiguous'; readonly options: readonly ExposedEntity[] }
  | { readonly kind: 'unknown' }

/**
 * The entities that a name refers to: by symbol, name or alias, each with or without its catalog (`shop:Order`,
 * `shop.Order`).
 */
export function lookUpEntity(scope: Scope, text: string): Lookup {
  if (/^e[1-9]\d*$/.test(text)) return lookUpSymbol(scope, text)
  const at = text.search(/[:.]/)
  const api = at > 0 ? text.slice(0, at) : undefined
  const name = text.slice(at > 0 ? at + 1 : 0)
  const named = scope.space.named(name).filter((exposed) => api === undefined || isApi(scope, exposed, api))
  const live = visibleAmong(scope, named)
  const exact = live.filter(({ exposed }) => exposed.entity === name)
  const candidates = exact.length > 0 ? exact : live
  const [only] = candidates
  if (candidates.length > 1) return { kind: 'ambiguous', options: candidates.map(({ exposed }) => exposed) }
  if (only) return { kind: 'found', target: only.target }
  const dead = named.find((exposed) => !exposed.live && exposed.entity === name)
  return dead ? { kind: 'dead', exposed: dead } : { kind: 'unknown' }
}

function lookUpSymbol(scope: Scope, symbol: string): Lookup {
  const meaning = scope.space.meaning(symbol)
  if (meaning?.kind !== 'entity') return { kind: 'unknown' }
  if (!meaning.exposed.live) return { kind: 'dead', exposed: meaning.exposed }
  const target = targetOf(scope, meaning.exposed)
  return target && isVisible(scope, target) ? { kind: 'found', target } : { kind: 'unknown' }
}

function isApi(scope: Scope, exposed: ExposedEntity, api: string): boolean {
  return exposed.catalog === api || (exposed.live && scope.model(exposed.digest).aliases.includes(api))
}

/** Whether the name is a catalog of this session. The next name is then an entity. */
export function isCatalogName(scope: Scope, text: string): boolean {
  return scope.space.entities.some((exposed) => isApi(scope, exposed, text))
}

/** The entity that a name refers to, or a problem; `labels` are the other names that were possible. */
export function resolveEntity(
  context: Context,
  name: Name,
  labels: Iterable<string> = [],
): Target | undefined {
  const lookup = lookUpEntity(context.scope, name.text)
  if (lookup.kind === 'found') return lookup.target
  const { text, span } = name
  context.report(
    lookup.kind === 'unknown' && context.allLabels.has(text)
      ? problem('label_as_entity', { label: text }, { span })
      : entityProblem(context.scope, name, lookup, labels),
  )
  return undefined
}

function entityProblem(
  scope: Scope,
  name: Name,
  lookup: Exclude<Lookup, { kind: 'found' }>,
  labels: Iterable<string>,
) {
  const { text, span } = name
  if (lookup.kind === 'dead') {
    return problem('dead_symbol', deadParams(scope, text, lookup.exposed), { span })
  }
  if (lookup.kind === 'ambiguous') {
    const options = lookup.options.map((exposed) => `${exposed.symbol} (${exposed.catalog})`)
    return problem(
      'ambiguous_entity',
      { name: text, options },
      { span, nearest: lookup.options.map((exposed) => exposed.symbol) },
    )
  }
  const entities = visibleEntities(scope)
  const known = listed(
    entities.map(({ exposed }) => exposed.symbol),
    entities.map(({ exposed }) => ` (${exposed.entity})`),
  )
  if (SYMBOL.test(text)) {
    const meaning = scope.space.meaning(text)
    if (meaning && meaning.kind !== 'entity') return wrongSymbol(scope, name, 'an entity')
    return problem(
      'unknown_symbol',
      { name: text, known: known.length === 0 ? 'plasm_context' : known.join(', ') },
      { span },
    )
  }
  const separator = /[:.]/.exec(text)?.[0]
  const options =
    separator === undefined
      ? [...labels, ...entities.flatMap(({ exposed, target }) => [exposed.entity, ...target.entity.aliases])]
      : entities.map(({ exposed }) => `${exposed.catalog}${separator}${exposed.entity}`)
  return problem('unknown_entity', { name: text, known }, nameAt(span, text, options))
}

/** What a symbol meant, and the symbol of the same entity now; undefined if its catalog no longer has the entity. */
function deadParams({ space }: Scope, name: string, { entity, catalog }: ExposedEntity) {
  return { name, entity, catalog, now: space.exposureOf(catalog, entity)?.symbol }
}

/** The problem of a symbol of the wrong kind for its place. */
export function wrongSymbol(scope: Scope, name: Name, wanted: string, near: readonly string[] = []) {
  const meaning = scope.space.meaning(name.text)
  const place = near.length === 0 ? { span: name.span } : { span: name.span, nearest: near }
  if (!meaning) {
    const symbols = name.text.startsWith('p')
      ? 'a p# from the table'
      : name.text.startsWith('m')
        ? 'an m# from the table'
        : 'an e# from the table'
    return problem('unknown_symbol', { name: name.text, known: symbols }, place)
  }
  const { entity, live, symbol } = meaning.exposed
  if (!live) return problem('dead_symbol', deadParams(scope, name.text, meaning.exposed), place)
  const means =
    meaning.kind === 'entity'
      ? `the entity ${entity}`
      : meaning.kind === 'method'
        ? `the method \`${meaning.capability}\` of ${entity} (${symbol})`
        : `\`${meaning.slot}\` of ${entity} (${symbol})`
  return problem('wrong_symbol', { name: name.text, wanted, means }, place)
}

const SLOT_SYMBOL = /^p[1-9]\d*$/

/** The slot name of a `p#`, if it belongs to the entity; the text itself if it is not a symbol. */
export function slotName(scope: Scope, text: string, owner: Target | undefined): string | undefined {
  if (!SLOT_SYMBOL.test(text)) return text
  const meaning = scope.space.meaning(text)
  // A slot may itself be named `p5`: the symbol table decides only if it has the symbol.
  if (!meaning)
    return owner && indexOf(owner.catalog).slotNamesOf(owner.entity.name).includes(text) ? text : undefined
  if (meaning.kind !== 'slot' || !meaning.exposed.live) return undefined
  const { exposed, slot } = meaning
  return owner?.catalog.id === exposed.catalog && owner.entity.name === exposed.entity ? slot : undefined
}
