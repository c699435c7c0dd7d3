import { oneLine } from '../base/one-line.ts'
import { mayUse } from '../catalog/calls.ts'
import { indexOf } from '../catalog/lookup.ts'
import type { Capability, Catalog, Entity, Field, Parameter, Relation } from '../catalog/model.ts'
import { needsTarget, targetParameters } from '../catalog/target.ts'
import type { SymbolSpace } from '../session/exposure.ts'
import type { Wave } from '../session/record.ts'
import {
  entityGloss,
  isImplied,
  type Naming,
  relationGloss,
  slotGloss,
  slotName,
  typeGloss,
} from './slots.ts'

/** The longest piece of prose in a row, in characters. */
const PROSE = 60

/** One wave to be taught. */
export interface WaveTeaching {
  /** The session as the wave left it. */
  readonly space: SymbolSpace
  /** The session as it is today: symbols that died since are not taught. */
  readonly now: SymbolSpace
  readonly wave: Wave
  readonly model: (digest: string) => Catalog
  readonly allows: (catalog: string, capability: string) => boolean
  readonly hides?: (catalog: string) => boolean
}

/**
 * The rows of one wave: for each entity that it brings, what the entity is, then what can be done with it; then, for
 * entities taught earlier, the relations whose target it brings. One tab a row: expression, meaning.
 */
export function waveRows(teaching: WaveTeaching): string[] {
  const { space, now, wave, model } = teaching
  const live = new Set(now.entities.filter((exposed) => exposed.live).map((exposed) => exposed.symbol))
  const rows: string[] = []
  for (const exposed of space.entities) {
    if (!live.has(exposed.symbol) || teaching.hides?.(exposed.catalog)) continue
    const catalog = model(exposed.digest)
    const entity = indexOf(catalog).entities.get(exposed.entity)
    if (!entity) continue
    const view: View = { ...teaching, exposed, catalog, entity }
    rows.push(...(exposed.revision === wave.revision ? entityRows(view) : arrivalRows(view)))
  }
  return rows
}

interface View extends WaveTeaching, Naming {
  readonly catalog: Catalog
  readonly entity: Entity
}

function row(expression: string, meaning: readonly string[]): string {
  const text = meaning.filter((part) => part !== '').join(' · ')
  return `${expression}\t${text.replaceAll(/[\t\r\n]+/g, ' ')}`
}

/** What the entity is stands on its first row: that of its get, else of whatever can be done with it first. */
function entityRows(view: View): string[] {
  const capabilities = indexOf(view.catalog)
    .capabilitiesOf(view.entity.name)
    .filter(
      (capability) => capability.unsupported.length === 0 && mayUse(view.catalog.id, capability, view.allows),
    )
  const introduction = [title(view), slotList(view, capabilities)]
  const primary = capabilities.find(
    (capability) => capability.kind === 'get' && needsTarget(view.catalog, capability),
  )
  const [first, ...rest] = primary
    ? [primary, ...capabilities.filter((other) => other !== primary)]
    : capabilities
  if (!first) return [row(view.exposed.symbol, introduction)]
  return [
    first === primary
      ? row(getExpression(view), [...introduction, optionalList(view, first)])
      : row(expressionOf(view, first), [resultOf(view, first), ...introduction, ...argumentsOf(view, first)]),
    ...rest.map((capability) =>
      row(expressionOf(view, capability), [resultOf(view, capability), ...argumentsOf(view, capability)]),
    ),
  ]
}

/** The entity's name, with its API where the session has several, and what it is. */
function title({ space, exposed, entity }: View): string {
  const catalogs = new Set(space.entities.filter(({ live }) => live).map(({ catalog }) => catalog))
  const name = catalogs.size > 1 ? `${exposed.catalog}.${exposed.entity}` : exposed.entity
  return entity.description ? `${name}: ${prose(entity.description)}` : name
}

function getExpression({ exposed, entity }: View): string {
  return entity.key.length > 1
    ? `${exposed.symbol}(${entity.key.map((slot) => `${slot}=$`).join(',')})`
    : `${exposed.symbol}($)`
}

/** Every field that reads fill, in the order of the primary read, then the relations that can be walked now. */
function slotList(view: View, capabilities: readonly Capability[]): string {
  const fields = taughtFields(view.entity, capabilities)
  const names = new Set(fields.map(({ name }) => name))
  return [
    ...fields.map((field) => slotGloss(view, field)),
    ...walkable(view)
      .filter(({ name }) => !names.has(name))
      .map((relation) => relationGloss(view, relation)),
  ].join(', ')
}

/** The relations that lead to an entity of the session, by a way that can be walked. */
function walkable({ entity, space, exposed }: View): Relation[] {
  return entity.relations.filter(
    (relation) =>
      relation.via.kind !== 'none' && space.exposureOf(exposed.catalog, relation.target) !== undefined,
  )
}

/** The columns of the entity's primary read: its `provides`, else every field. */
function taughtFields(entity: Entity, capabilities: readonly Capability[]): readonly Field[] {
  const primary =
    capabilities.find(({ name }) => name === entity.primaryRead) ??
    capabilities.find(({ kind }) => kind === 'get') ??
    capabilities.find(({ kind }) => kind === 'query') ??
    capabilities.find(({ kind }) => kind === 'search')
  const provided = primary?.provides
  if (!provided || provided.length === 0) return entity.fields
  const byName = new Map(entity.fields.map((field) => [field.name, field]))
  return provided.flatMap((name) => byName.get(name) ?? [])
}

/** The parameters that a call states itself: not those that its target brings. */
function taughtParameters({ catalog }: View, capability: Capability): readonly Parameter[] {
  const brought = targetParameters(catalog, capability)
  return capability.parameters.filter(({ name }) => !brought.has(name))
}

function expressionOf(view: View, capability: Capability): string {
  const { exposed, catalog } = view
  const required = taughtParameters(view, capability).filter((parameter) => parameter.required)
  const given = required.map((parameter) => argument(view, parameter)).join(',')
  switch (capability.kind) {
    case 'query':
      return isPlainQuery(view, capability)
        ? `${exposed.symbol}${given ? `{${given}}` : ''}`
        : `${exposed.symbol}.${capability.label}(${given})`
    case 'search': {
      const text = required.find(({ role }) => role === 'search') ?? required[0]
      const rest = required
        .filter((parameter) => parameter !== text)
        .map((parameter) => argument(view, parameter))
      return isPlainQuery(view, capability)
        ? `${exposed.symbol}~$${rest.length > 0 ? `{${rest.join(',')}}` : ''}`
        : `${exposed.symbol}.${capability.label}(${given})`
    }
    default:
      return `${exposed.symbol}${needsTarget(catalog, capability) ? '($)' : ''}.${capability.label}(${given})`
  }
}

/** Is it what braces (or `~`) alone select: no earlier capability of its kind asks for the same arguments? */
function isPlainQuery({ catalog, entity }: View, capability: Capability): boolean {
  const siblings = indexOf(catalog)
    .capabilitiesOf(entity.name)
    .filter(({ kind }) => kind === capability.kind)
  if (capability.kind === 'search') return siblings[0] === capability
  const required = requiredKey(capability)
  return siblings.find((sibling) => requiredKey(sibling) === required) === capability
}

function requiredKey(capability: Capability): string {
  return capability.parameters
    .filter(({ required }) => required)
    .map(({ name }) => name)
    .toSorted()
    .join(',')
}

function argument(view: View, parameter: Parameter): string {
  const target =
    parameter.type.kind === 'reference'
      ? view.space.exposureOf(view.catalog.id, parameter.type.entity)
      : undefined
  return `${slotName(view, parameter.name)}=${target ? `${target.symbol}($)` : '$'}`
}

function argumentsOf(view: View, capability: Capability): string[] {
  return [
    requiredTypes(view, capability),
    optionalList(view, capability),
    saysMore(view, capability) ? prose(capability.description ?? '') : '',
  ]
}

/** What comes back, and whether anything is changed. */
function resultOf(view: View, capability: Capability): string {
  const own = entityGloss(view, capability.entity)
  switch (capability.effect) {
    case 'read':
      return capability.kind === 'query' || capability.kind === 'search' ? `[${own}]` : own
    case 'write':
      return `write ${own}`
    case 'side_effect':
      return 'write'
  }
}

/** The types of required arguments that the expression and the entity's own fields do not show. */
function requiredTypes(view: View, capability: Capability): string {
  return capability.parameters
    .filter(
      (parameter) => parameter.required && !isImplied(view.entity, parameter) && !isShown(view, parameter),
    )
    .map((parameter) => slotGloss(view, parameter))
    .join(', ')
}

function isShown(view: View, { type }: Parameter): boolean {
  if (type.kind === 'reference') return view.space.exposureOf(view.catalog.id, type.entity) !== undefined
  return typeGloss(view, type) === ''
}

function optionalList(view: View, capability: Capability): string {
  const optional = taughtParameters(view, capability).filter((parameter) => !parameter.required)
  if (optional.length === 0) return ''
  return `opt ${optional.map((parameter) => slotGloss(view, parameter, isImplied(view.entity, parameter) ? '' : undefined)).join(', ')}`
}

/** Does the description say anything that the row and the entity's name do not? */
function saysMore({ entity }: View, capability: Capability): boolean {
  const known = wordsOf(
    `${capability.label} ${capability.name} ${entity.name} ${capability.parameters.map(({ name }) => name).join(' ')}`,
  )
  return [...wordsOf(capability.description ?? '')].some((word) => !FILLERS.has(word) && !known.has(word))
}

// Words that tell a reader nothing which the row's shape does not.
const FILLERS = wordsOf(
  'a all an and any api as at be by can existing fetch filter find for from get in into is it its list new of on one optional or retrieve return search set single that the this to used with word',
)

function wordsOf(text: string): ReadonlySet<string> {
  const words =
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  return new Set(words.map((word) => word.replace(/(?:ed|es|s)$/, '')))
}

/** A description as one short line: without a closing remark in brackets, cut at a word. */
function prose(text: string): string {
  const line = oneLine(text, 10 * PROSE)
    .replace(/[.;:]?\s*\([^)]*\)\s*$/, '')
    .replace(/\.$/, '')
  const cut = oneLine(line, PROSE)
  return cut === line ? line : `${cut.slice(0, Math.max(cut.lastIndexOf(' '), PROSE / 2)).trimEnd()}…`
}

/** For an entity taught earlier: the relations and references whose target this wave brings. */
function arrivalRows(view: View): string[] {
  const { exposed, entity, space, wave } = view
  const arrived = (target: string) => space.exposureOf(exposed.catalog, target)?.revision === wave.revision
  const relations = walkable(view).filter(({ target }) => arrived(target))
  const names = new Set(relations.map(({ name }) => name))
  const references = entity.fields.flatMap((field) =>
    field.type.kind === 'reference' && arrived(field.type.entity) && !names.has(field.name)
      ? [{ name: field.name, target: field.type.entity, many: false }]
      : [],
  )
  return [...relations, ...references].map(({ name, target, many }) => {
    const symbol = entityGloss(view, target)
    return row(`${exposed.symbol}($).${slotName(view, name)}`, [many ? `[${symbol}]` : symbol])
  })
}
