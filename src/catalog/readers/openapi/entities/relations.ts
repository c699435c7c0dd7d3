import type { Json } from '../../../../base/canonical.ts'
import { child } from '../../../../base/json.ts'
import { snake, wordsOf } from '../../../../base/words/names.ts'
import type { Capability, Relation } from '../../../model.ts'
import { rowBefore } from './uses.ts'
import { isReadingWord } from './verbs.ts'
import type { Book } from './book.ts'
import type { Draft, Use } from './draft.ts'

/** A relation, and why it is there. */
export interface FoundRelation {
  readonly owner: Draft
  readonly relation: Relation
  readonly why: string
}

/**
 * The relations that nesting says: a list or an object below the path of one row, read with arguments that are all parts of
 * that row's key. A relation has the name of a field only where that holds a page of the same list (`songs: {items, total}`).
 *
 * @param fieldsOf the names of an entity's other fields
 */
export function relationsOf(
  built: readonly { readonly use: Use; readonly capability: Capability }[],
  book: Book,
  fieldsOf: (draft: Draft) => ReadonlySet<string>,
): readonly FoundRelation[] {
  const taken = new Map<Draft, Set<string>>()
  return built.flatMap(({ use, capability }) => {
    const owner = rowBefore(use.placed, book)
    const isMany = capability.kind === 'query'
    if (!owner?.anchor || use.isOnRow || (!isMany && capability.kind !== 'get')) return []
    const bindings = bindingsOf(use, capability, { owner, book })
    if (!bindings) return []
    const names = taken.get(owner) ?? new Set(fieldsOf(owner))
    taken.set(owner, names)
    const name = nameOf(use, owner, names)
    if (name === undefined) return []
    names.add(name)
    const { description } = capability
    const relation: Relation = {
      name,
      target: use.entity.name,
      many: isMany,
      ...(description !== undefined && { description }),
      via: { kind: isMany ? 'query' : 'get', capability: capability.name, bindings },
    }
    return [
      { owner, relation, why: `\`${name}\`: ${use.placed.operation.path} lies below one ${owner.name}.` },
    ]
  })
}

/** A part of a row that is got by the row's own key: `/zones/{id}/policy`. */
export function partRelationsOf(
  built: readonly { readonly use: Use; readonly capability: Capability }[],
  book: Book,
  fieldsOf: (draft: Draft) => ReadonlySet<string>,
): readonly FoundRelation[] {
  return built.flatMap(({ use, capability }) => {
    const owner = rowBefore(use.placed, book)
    const own = use.entity.anchor
    if (!owner?.anchor || !own?.isImplicit || capability.kind !== 'get' || !use.isOnRow) return []
    if (own.slots.length !== owner.anchor.slots.length || owner === use.entity) return []
    const name = nameOf(use, owner, fieldsOf(owner))
    if (name === undefined) return []
    const bindings = own.slots.map((slot, index) => ({
      parameter: slot,
      field: owner.anchor?.slots[index] ?? slot,
    }))
    const relation: Relation = {
      name,
      target: use.entity.name,
      many: false,
      via: { kind: 'get', capability: capability.name, bindings },
    }
    return [
      { owner, relation, why: `\`${name}\`: ${use.placed.operation.path} is a part of one ${owner.name}.` },
    ]
  })
}

/** Every required argument from the owner's key; undefined if one has another source. */
function bindingsOf(
  { placed }: Use,
  capability: Capability,
  { owner, book }: { readonly owner: Draft; readonly book: Book },
) {
  const slots = owner.anchor?.slots ?? []
  const required = capability.parameters.filter((parameter) => parameter.required)
  const path = capability.parameters.filter(({ role }) => role === 'scope')
  if (
    placed.variables.length !== slots.length ||
    required.length !== path.length ||
    path.length !== slots.length
  )
    return undefined
  return path.map(({ name }, index) => {
    const slot = slots[index] ?? 'id'
    const variable = placed.variables[index]?.name
    const declared = placed.operation.parameters.find((one) => one.in === 'path' && one.name === variable)
    return { parameter: name, field: isDigits(declared?.schema, book) ? numberOf(slot, owner, book) : slot }
  })
}

/** A path that takes digits alone, whatever type it declares. */
function isDigits(schema: Json | undefined, { schemas }: Book): boolean {
  const [type, other] = schemas.view(schema).types
  if (other === undefined && type === 'integer') return true
  const pattern = child(schema, 'pattern')
  return typeof pattern === 'string' && /^\^?(?:\\d|\[0-9\])[+*]\$?$/.test(pattern)
}

/** The number of rows whose key is a name: the path below them may take it where their own takes both. */
function numberOf(slot: string, { views }: Draft, { schemas }: Book): string {
  const properties = views[0] === undefined ? undefined : schemas.properties(views[0])
  const isOf = (field: string, type: string) => {
    const [found, other] = schemas.view(properties?.get(field)).types
    return found === type && other === undefined
  }
  return isOf(slot, 'string') && isOf('id', 'integer') ? 'id' : slot
}

/** The last words of the path below the owner that are no name of a read; of a field's name, with what it is. */
function nameOf({ placed, entity }: Use, owner: Draft, taken: ReadonlySet<string>): string | undefined {
  const from = placed.keys.indexOf(owner.anchor?.path ?? '')
  const last = placed.operation.segments.findLast(
    (segment, index) =>
      index > from && segment.kind === 'literal' && !isReadingWord(segment.text.toLowerCase()),
  )
  const words =
    last?.kind === 'literal' ? wordsOf(last.text).filter((word) => !/^(?:json|v?\d+)$/.test(word)) : []
  const plain = words.join('_')
  const candidates =
    plain === ''
      ? [snake(entity.name)]
      : [plain, `${plain}_list`, snake(entity.name), `${snake(owner.name)}_${plain}`]
  return candidates.find(
    (name) => /^[a-z][a-z0-9_]*$/.test(name) && !/^[emp]\d+$/.test(name) && !taken.has(name),
  )
}
