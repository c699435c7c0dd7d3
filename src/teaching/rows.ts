import { hasOwnName, isUntyped } from '../catalog/call.ts'
import { isVisible, mayUse, mayWalk } from '../catalog/uses.ts'
import { indexOf, textParameter } from '../catalog/lookup.ts'
import type { Capability, Catalog, Entity, Field, Parameter, Relation, Type } from '../catalog/model.ts'
import { needsTarget, targetParameters } from '../catalog/target.ts'
import { neededOf } from '../catalog/variables.ts'
import type { ExposedEntity, SymbolSpace } from '../session/exposure.ts'
import type { Wave } from '../session/record.ts'
import { fieldGloss, heldLists, taughtFields } from './fields.ts'
import { PROSE, prose, TOOL_PROSE } from './prose.ts'
import { saysMore } from './says-more.ts'
import {
  entityGloss,
  type Naming,
  parameterGloss,
  relationGloss,
  slotGloss,
  slotName,
  symbolIn,
} from './slots.ts'
import { titleOf } from './title.ts'

/** A type is written once in a wave if it is this long, in characters. */
const LONG_TYPE = 60

/** A session as visible to its reader. */
interface Sight {
  readonly space: SymbolSpace
  readonly model: (digest: string) => Catalog
  readonly allows: (catalog: string, capability: string) => boolean
}

/** One wave, with the session as of that wave. */
export interface WaveTeaching extends Sight {
  /** The current session: symbols that were retired since are not taught. */
  readonly now: SymbolSpace
  readonly wave: Wave
  readonly hides?: (catalog: string) => boolean
}

/**
 * The rows of one wave: for each new entity a row for the entity itself, then one for each of its capabilities; then, for
 * entities of earlier waves, the relations to the new ones. Each row has two cells: expression and meaning.
 */
export function waveRows(teaching: WaveTeaching): string[] {
  const { space, now, wave } = teaching
  const live = new Set(now.entities.filter((exposed) => exposed.live).map((exposed) => exposed.symbol))
  const rows: string[] = []
  const shown = new Map<string, string>()
  for (const exposed of space.entities) {
    if (!live.has(exposed.symbol) || teaching.hides?.(exposed.catalog)) continue
    const view = viewOf(teaching, exposed, shown)
    if (!view) continue
    rows.push(
      ...(exposed.revision === wave.revision
        ? entityRows(view).map(({ text }) => text)
        : arrivalRows(view, wave.revision)),
    )
  }
  return rows
}

/** A symbol, `e5` for an entity or `m12` for a capability, and of an entity the rows that are wanted. */
interface Wanted {
  readonly symbol: string
  /** The first row; also those of its lists and searches; or every one. */
  readonly rows: 'own' | 'reads' | 'all'
}

/** The current rows of these symbols: whole rows within `most` characters, the first one in any case. */
export function rowsAbout(sight: Sight, about: readonly Wanted[], most: number): readonly string[] {
  const rows = new Set<string>()
  let room = most
  for (const { symbol, rows: wanted } of about) {
    const meaning = sight.space.meaning(symbol)
    const view = meaning && viewOf(sight, meaning.exposed)
    const own = meaning?.kind === 'method' ? meaning.capability : undefined
    const lists = new Set(
      view?.capabilities.filter(({ kind }) => kind === 'query' || kind === 'search').map(({ name }) => name),
    )
    for (const [at, { capability, text }] of (view ? entityRows(view) : []).entries()) {
      const isList = wanted === 'reads' && capability !== undefined && lists.has(capability)
      const isWanted = own === undefined ? at === 0 || wanted === 'all' || isList : capability === own
      if (!isWanted || rows.has(text)) continue
      room -= text.length
      if (room < 0 && rows.size > 0) return [...rows, '…']
      rows.add(text)
    }
  }
  return [...rows]
}

interface View extends Sight, Naming {
  readonly catalog: Catalog
  readonly entity: Entity
  /** What can be done with it, by the caller and by us. */
  readonly capabilities: readonly Capability[]
  /** The entities whose rows have the long types of arguments, by catalog, name and type. */
  readonly shown: Map<string, string>
  /** The names in the entity's first row: arguments with these names need no type of their own. */
  readonly fields: ReadonlyMap<string, Field>
}

function viewOf(sight: Sight, exposed: ExposedEntity, shown = new Map<string, string>()): View | undefined {
  const catalog = sight.model(exposed.digest)
  const entity = indexOf(catalog).entities.get(exposed.entity)
  const sees = (name: string) => isVisible(catalog, name, sight.allows)
  if (!entity || !sees(entity.name)) return undefined
  const capabilities = indexOf(catalog)
    .capabilitiesOf(entity.name)
    .filter((one) => one.unsupported.length === 0 && mayUse(catalog.id, one, sight.allows))
  const fields = new Map(taughtFields(entity, capabilities).map((field) => [field.name, field]))
  return { ...sight, exposed, sees, catalog, entity, capabilities, fields, shown }
}

function row(expression: string, meaning: readonly string[]): string {
  const text = meaning.filter((part) => part !== '').join(' · ')
  return `${expression}\t${text.replaceAll(/[\t\r\n]+/g, ' ')}`
}

/** The entity is described in its first row: that of its get, else of its first capability. */
function entityRows(view: View): readonly EntityRow[] {
  const { capabilities } = view
  const introduction = [titleOf(view), slotList(view), unpickedList(view)]
  const primary = capabilities.find(
    (capability) => capability.kind === 'get' && needsTarget(view.catalog, capability),
  )
  const [first, ...rest] = primary
    ? [primary, ...capabilities.filter((other) => other !== primary)]
    : capabilities
  const asked = walkable(view).filter((relation) => askedBy(view, relation).length > 0)
  if (!first) return [{ text: row(view.exposed.symbol, introduction) }]
  const opening =
    first === primary
      ? row(getExpression(view, first), [
          ...introduction,
          typesOf(view, neededParameters(view, first)),
          optionalList(view, first),
        ])
      : row(expressionOf(view, first), [resultOf(view, first), ...introduction, ...argumentsOf(view, first)])
  return [
    { capability: first.name, text: opening },
    ...rest.map((capability) => ({
      capability: capability.name,
      text: row(expressionOf(view, capability), [
        resultOf(view, capability),
        ...argumentsOf(view, capability),
      ]),
    })),
    ...asked.map((relation) => ({ text: relationRow(view, relation) })),
  ]
}

interface EntityRow {
  /** The capability of the row; absent if the entity has none. */
  readonly capability?: string
  readonly text: string
}

/** The entity by its key, whose slots are named unless they are one `id` that the row lists first, and what its get needs besides. */
function getExpression(view: View, get: Capability): string {
  const { exposed, entity } = view
  const [first] = view.fields.keys()
  const isPlain = entity.key.length === 1 && entity.key[0] === 'id' && first === 'id'
  const key = isPlain ? ['$'] : entity.key.map((slot) => `${slotName(view, slot)}=$`)
  const needed = neededParameters(view, get).map((parameter) => argument(view, parameter))
  return `${exposed.symbol}(${[...key, ...needed].join(',')})`
}

/** Every field, then the relations that can be followed now by their name alone, or whose columns can be used. */
function slotList(view: View): string {
  const lists = heldLists(readable(view), view.fields)
  return [
    ...Array.from(view.fields.values(), (field) => fieldGloss(view, field, lists)),
    ...walkable(view)
      .filter((relation) => !view.fields.has(relation.name) && askedBy(view, relation).length === 0)
      .map((relation) => relationGloss(view, relation)),
    ...unpicked(view)
      .filter(isHeldWhole)
      .map((relation) => relationGloss(view, relation)),
  ].join(', ')
}

/** The relations whose target the session does not have. */
function unpicked(view: View): readonly Relation[] {
  return readable(view).filter(
    ({ name, target }) =>
      !view.fields.has(name) &&
      symbolIn(view, target) === undefined &&
      indexOf(view.catalog).entities.get(target)?.abstract === false,
  )
}

/** Rows hold the one row of the relation: `user.login` is a column, whether or not `User` was picked. */
function isHeldWhole({ via, many }: Relation): boolean {
  return via.kind === 'embedded' && !many
}

/** The relations that can be followed once the session has their targets: `also labels [Label]`. */
function unpickedList(view: View): string {
  const unheld = unpicked(view).filter((relation) => !isHeldWhole(relation))
  return unheld.length === 0
    ? ''
    : `also ${unheld.map((relation) => relationGloss(view, relation)).join(', ')}`
}

/** The relations to entities of the session that can be followed. */
function walkable(view: View): Relation[] {
  return readable(view).filter(({ target }) => symbolIn(view, target) !== undefined)
}

/** The relations that some call reads, and that the reader may follow. */
function readable(view: View): Relation[] {
  return view.entity.relations.filter((relation) => {
    if (relation.via.kind === 'none') return false
    return (
      (walkOf(view, relation)?.unsupported.length ?? 0) === 0 && mayWalk(view.catalog, relation, view.allows)
    )
  })
}

/** The capability that reads a relation. */
function walkOf({ catalog }: View, { via }: Relation): Capability | undefined {
  return 'capability' in via ? indexOf(catalog).capabilities.get(via.capability) : undefined
}

/** The arguments that a relation needs besides those that its row binds. */
function askedBy(view: View, relation: Relation): readonly Parameter[] {
  const capability = walkOf(view, relation)
  if (capability?.kind !== 'query' && capability?.kind !== 'search') return []
  const bound = 'bindings' in relation.via ? relation.via.bindings.map(({ parameter }) => parameter) : []
  const needed = neededOf(capability, (name) => indexOf(view.catalog).entities.get(name))
  return capability.parameters.filter(({ name }) => needed.has(name) && !bound.includes(name))
}

/** A relation as a row: `e4($).posts{feed=$}`. */
function relationRow(view: View, relation: Relation): string {
  const { exposed } = view
  const asked = askedBy(view, relation)
  const given = asked.map((parameter) => argument(view, parameter)).join(',')
  const target = entityGloss(view, relation.target)
  return row(`${exposed.symbol}($).${slotName(view, relation.name)}${given ? `{${given}}` : ''}`, [
    relation.many ? `[${target}]` : target,
    typesOf(view, asked),
  ])
}

/** The parameters that a call states itself, without those that its target supplies. */
function taughtParameters({ catalog }: View, capability: Capability): readonly Parameter[] {
  const brought = targetParameters(catalog, capability)
  return capability.parameters.filter(({ name }) => !brought.has(name))
}

/** Those of them that every call has to give. */
function neededParameters(view: View, capability: Capability): readonly Parameter[] {
  const needed = neededOf(capability, (name) => indexOf(view.catalog).entities.get(name))
  return taughtParameters(view, capability).filter(({ name }) => needed.has(name))
}

function expressionOf(view: View, capability: Capability): string {
  const { exposed, catalog } = view
  const required = neededParameters(view, capability)
  const given = required.map((parameter) => argument(view, parameter)).join(',')
  switch (capability.kind) {
    case 'query':
      return isPlainQuery(view, capability)
        ? `${exposed.symbol}${given ? `{${given}}` : ''}`
        : `${exposed.symbol}.${capability.label}(${given})`
    case 'search': {
      const rest = required
        .filter((parameter) => parameter !== textParameter(capability))
        .map((parameter) => argument(view, parameter))
      return isPlainQuery(view, capability)
        ? `${exposed.symbol}~$${rest.length > 0 ? `{${rest.join(',')}}` : ''}`
        : `${exposed.symbol}.${capability.label}(${given})`
    }
    default:
      return `${exposed.symbol}${needsTarget(catalog, capability) ? '($)' : ''}.${capability.label}(${given})`
  }
}

/** Do braces (or `~`) alone select it: does no earlier capability of its kind take the same arguments? What has a name of its own is called by it. */
function isPlainQuery({ catalog, entity }: View, capability: Capability): boolean {
  if (hasOwnName(capability)) return false
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
  const { name, type } = parameter
  const target = type.kind === 'reference' ? symbolIn(view, type.entity) : undefined
  return `${slotName(view, name)}=${target === undefined ? '$' : `${target}($)`}`
}

function argumentsOf(view: View, capability: Capability): string[] {
  return [
    typesOf(view, neededParameters(view, capability)),
    optionalList(view, capability),
    saysMore(capability, view.entity)
      ? prose(capability.description ?? '', hasOwnName(capability) ? TOOL_PROSE : PROSE)
      : '',
  ]
}

/** The result type, and whether the capability changes data. */
function resultOf(view: View, capability: Capability): string {
  const own = entityGloss(view, capability.entity)
  switch (capability.effect) {
    case 'read':
      return capability.kind === 'query' || capability.kind === 'search' ? `[${own}]` : own
    case 'write':
      return isUntyped(capability) ? 'write' : `write ${own}`
    case 'side_effect':
      return 'write'
  }
}

/** The types of arguments that the expression and the entity's own fields do not show. */
function typesOf(view: View, parameters: readonly Parameter[]): string {
  return parameters
    .filter(({ type }) => !isShown(view, type))
    .map((parameter) => ({ parameter, type: argumentGloss(view, parameter) }))
    .filter(({ type }) => type !== '')
    .map(({ parameter, type }) => slotGloss(view, parameter, type))
    .join(', ')
}

/** An argument that is an entity of the session shows its type in the expression. */
function isShown(view: View, type: Type): boolean {
  return type.kind === 'reference' && symbolIn(view, type.entity) !== undefined
}

function optionalList(view: View, capability: Capability): string {
  const text = capability.kind === 'search' && isPlainQuery(view, capability) && textParameter(capability)
  const needed = neededParameters(view, capability)
  const optional = taughtParameters(view, capability).filter(
    (parameter) => !needed.includes(parameter) && parameter !== text,
  )
  if (optional.length === 0) return ''
  return `opt ${optional.map((parameter) => slotGloss(view, parameter, argumentGloss(view, parameter))).join(', ')}`
}

/**
 * An argument's type: empty if the field of its name has the same type; `str` if that would be misleading; where an earlier
 * row of the wave has the same long one, the entity of that row.
 */
function argumentGloss(view: View, parameter: Parameter): string {
  const { name, type, nullable } = parameter
  const field = view.fields.get(name)
  if (!nullable && field && JSON.stringify(field.type) === JSON.stringify(type)) return ''
  const isTaken = field !== undefined || view.entity.relations.some((relation) => relation.name === name)
  const gloss = parameterGloss(view, parameter) || (isTaken ? 'str' : '')
  if (gloss.length < LONG_TYPE) return gloss
  const key = `${view.exposed.catalog} ${name} ${gloss}`
  const shown = view.shown.get(key)
  if (shown !== undefined) return `(as in ${shown})`
  const claim = `${view.exposed.symbol} ${name}`
  // "As in e7" must mean one type: no field and no other argument of e7 has this name.
  if (field === undefined && !view.shown.has(claim)) {
    view.shown.set(claim, gloss)
    view.shown.set(key, view.exposed.symbol)
  }
  return gloss
}

/** For an entity taught earlier: the relations and references whose target this wave brings. */
function arrivalRows(view: View, revision: number): string[] {
  const { exposed, entity, space, sees } = view
  const arrived = (target: string) =>
    sees(target) && space.exposureOf(exposed.catalog, target)?.revision === revision
  const relations = walkable(view).filter(({ target }) => arrived(target))
  const names = new Set(relations.map(({ name }) => name))
  const references = entity.fields.flatMap((field) =>
    field.type.kind === 'reference' && arrived(field.type.entity) && !names.has(field.name)
      ? [row(`${exposed.symbol}($).${slotName(view, field.name)}`, [entityGloss(view, field.type.entity)])]
      : [],
  )
  return [...relations.map((relation) => relationRow(view, relation)), ...references]
}
