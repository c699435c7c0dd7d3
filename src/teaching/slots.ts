import { memberName } from '../catalog/describe.ts'
import type { Parameter, Relation, Slot, Type } from '../catalog/model.ts'
import type { ExposedEntity, SymbolSpace } from '../session/exposure.ts'

/** The context for rendering a name: the session as of a wave, and the entity of the slots. */
export interface Naming {
  readonly space: SymbolSpace
  readonly exposed: ExposedEntity
  /** Does the entity of this name exist for the reader? */
  readonly sees: (entity: string) => boolean
}

/** The symbol of an entity of the same catalog, if this session teaches it and its reader may see it. */
export function symbolIn({ space, exposed, sees }: Naming, entity: string): string | undefined {
  const found = space.exposureOf(exposed.catalog, entity)
  return found && sees(entity) ? found.symbol : undefined
}

const PLAIN_NAME = /^(?![emp]\d+$)[A-Za-z_]\w*$/

/** A slot's name as programs write it: its wire name, or its `p#` if the wire name is not an identifier. */
export function slotName({ space, exposed }: Naming, name: string): string {
  return PLAIN_NAME.test(name) ? name : (space.slotSymbol(exposed, name) ?? name)
}

/** A slot in a list: its name, and its type unless that is plain text. A `p#` is followed by the wire name it stands for. */
export function slotGloss(naming: Naming, slot: Slot, type = typeGloss(naming, slot.type)): string {
  const printed = slotName(naming, slot.name)
  return [printed, printed === slot.name ? '' : `"${slot.name}"`, type]
    .filter((part) => part !== '')
    .join(' ')
}

/** The type in the table's notation: empty for plain text, every value of an enumeration, `e#` for a taught entity. */
function typeGloss(naming: Naming, type: Type): string {
  switch (type.kind) {
    case 'string':
      if (type.written !== undefined) return type.written
      return type.semantics === 'short' ? '' : type.semantics === 'json_text' ? 'json' : type.semantics
    case 'integer':
      return type.options?.join('|') ?? 'int'
    case 'number':
      return type.options?.join('|') ?? 'num'
    case 'boolean':
      return 'bool'
    case 'json':
      return type.written ?? 'json'
    case 'uuid':
    case 'date':
    case 'blob':
      return type.kind
    case 'select':
      return optionList(type.options)
    case 'multi_select':
      return `[${optionList(type.options)}]`
    case 'array':
      return `[${typeGloss(naming, type.items) || 'str'}]`
    case 'reference':
      return entityGloss(naming, type.entity)
    case 'object':
      return `{${memberList(naming, type.fields)}}`
    case 'union':
      return type.variants
        .map((variant) => `${variant.name}{${memberList(naming, variant.fields)}}`)
        .join('|')
  }
}

/** The type of an argument or a member, which may have to be given and be null. */
export function parameterGloss(naming: Naming, { type, nullable }: Parameter): string {
  const gloss = typeGloss(naming, type)
  return nullable ? `${gloss || 'str'}|null` : gloss
}

/** The members of an object type; optional ones have a `?`. */
function memberList(naming: Naming, members: readonly Parameter[]): string {
  return members
    .map((member) =>
      `${memberName(member.name)}${member.required ? '' : '?'} ${parameterGloss(naming, member)}`.trimEnd(),
    )
    .join(', ')
}

/** Every value; a single one in quotes, since it would read as the name of a type. */
function optionList([only, ...more]: readonly string[]): string {
  if (only === undefined || more.length === 0) return JSON.stringify(only ?? '')
  return [only, ...more].map(optionGloss).join('|')
}

/** A value of an enumeration as programs write it: quoted unless it is one plain word. */
function optionGloss(option: string): string {
  return /^[\w.-]+$/.test(option) ? option : JSON.stringify(option)
}

/** An entity by its symbol if this session teaches it, else by its name. */
export function entityGloss(naming: Naming, entity: string): string {
  return symbolIn(naming, entity) ?? entity
}

/** A relation in a list: `labels [e8]`. */
export function relationGloss(naming: Naming, relation: Relation): string {
  const target = entityGloss(naming, relation.target)
  return `${slotName(naming, relation.name)} ${relation.many ? `[${target}]` : target}`
}
