import type { Field, Relation, Via } from '../../../model.ts'
import type { Schemas } from '../schema/schemas.ts'
import { isArray, type View } from '../schema/view.ts'
import type { Book } from './book.ts'
import { columnsOf } from './columns.ts'
import type { Draft } from './draft.ts'
import { hasKey, propertiesOf } from './fields.ts'
import { pageObjectOf } from './page-object.ts'
import type { FoundRelation } from './relations.ts'
import { isGettable, namedBy } from './typed.ts'

/** Lists inside of lists are followed so far; a document may have so many kinds of them. */
const DEEPEST = 3
const MAX_KINDS = 150

/** The objects in lists of rows: entities without calls, and the relations to them, which rows themselves hold. */
export interface Lists {
  readonly drafts: readonly Draft[]
  readonly found: readonly FoundRelation[]
}

/**
 * Finds the lists of objects in the rows of these entities (`rrsets` of a zone, `tracks.items` of an album). A list of rows that can be got leads to their
 * entity; all others lead to entities of their own.
 */
export function listsIn(
  drafts: readonly Draft[],
  book: Book,
  fieldsOf: (draft: Draft) => readonly Field[],
): Lists {
  const found: FoundRelation[] = []
  const made = new Map<string, Draft>()
  let level = drafts
  for (let depth = 0; depth < DEEPEST; depth++) {
    const before = made.size
    for (const owner of level) {
      const fields = new Map(fieldsOf(owner).map((field) => [field.name, field]))
      for (const { name, of, via, why } of listsOf(owner, book)) {
        if (fields.get(name)?.type.kind !== 'json' || !isStepName(name)) continue
        const target =
          'target' in of ? of.target : (rowOf(of.item, book) ?? partOf(of.item, { owner, name }, book, made))
        if (!target) continue
        const relation: Relation = { name, target: target.name, many: true, via }
        found.push({ owner, relation, why: `\`${name}\`: ${why}.` })
      }
    }
    level = [...made.values()].slice(before)
  }
  return { drafts: [...made.values()], found }
}

/** The names of the fields of an entity that hold a page of a list. */
export function pagesOf(draft: Draft, book: Book): ReadonlySet<string> {
  return new Set(listsOf(draft, book).flatMap(({ name, via }) => (via.kind === 'parent' ? [name] : [])))
}

/** A list of objects in the rows of an entity. */
interface HeldList {
  readonly name: string
  /** One object of it, or the entity whose rows the list names. */
  readonly of: { readonly item: View } | { readonly target: Draft | undefined }
  readonly via: Via
  readonly why: string
}

function listsOf(draft: Draft, book: Book): readonly HeldList[] {
  return [...columnsOf(propertiesOf(draft, book.schemas), book.schemas)].flatMap(([name, column]) => {
    const { path, schema, names } = column
    if (names?.many) {
      const via: Via = { kind: 'parent', path: [...path, { wildcard: true }, 'id'] }
      return [{ name, of: { target: namedBy(name, names, book) }, via, why: 'rows that each row names' }]
    }
    return inValue(name, path, book.schemas.view(schema), book.schemas)
  })
}

/** The list that a value is, or pages. */
function inValue(name: string, path: readonly string[], view: View, schemas: Schemas): readonly HeldList[] {
  const page = pageObjectOf(view, schemas)
  if (page) {
    const way = [...path, page.name]
    const via: Via = { kind: 'parent', path: way, ...(page.cut && { cut: page.cut }) }
    return [{ name, of: { item: page.item }, via, why: `the objects in \`${way.join('.')}\` of each row` }]
  }
  const item = schemas.view(view.items)
  if (!isArray(view) || isArray(item) || schemas.properties(item).size === 0) return []
  const via: Via = path.length === 1 ? { kind: 'embedded' } : { kind: 'parent', path }
  return [{ name, of: { item }, via, why: 'a list of objects in each row' }]
}

/** A name that a program can write after a dot. */
function isStepName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !/^[emp]\d+$/.test(name)
}

/** The entity whose rows the objects are. */
function rowOf(item: View, book: Book): Draft | undefined {
  const draft = book.ofComponent(item)
  return draft && isGettable(draft) && hasKey(draft, item, book.schemas) ? draft : undefined
}

function partOf(
  item: View,
  place: { readonly owner: Draft; readonly name: string },
  book: Book,
  made: Map<string, Draft>,
): Draft | undefined {
  const key = item.name ?? `${place.owner.name}.${place.name}`
  const known = made.get(key)
  if (known || made.size >= MAX_KINDS) return known
  const draft = book.part(item, place)
  made.set(key, draft)
  return draft
}
