import type { Json } from '../../../../base/canonical.ts'
import type { Field, Relation, Via } from '../../../model.ts'
import type { Schemas } from '../schema/schemas.ts'
import { isArray, type View } from '../schema/view.ts'
import type { Book } from './book.ts'
import type { Draft } from './draft.ts'
import { hasKey, propertiesOf } from './fields.ts'
import { pageObjectOf } from './page-object.ts'
import type { FoundRelation } from './relations.ts'
import { isGettable } from './typed.ts'

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
      for (const { name, item, via, why } of listsOf(owner, book.schemas)) {
        if (fields.get(name)?.type.kind !== 'json' || !isStepName(name)) continue
        const target = rowOf(item, book) ?? partOf(item, { owner, name }, book, made)
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
export function pagesOf(draft: Draft, schemas: Schemas): ReadonlySet<string> {
  return new Set(listsOf(draft, schemas).flatMap(({ name, via }) => (via.kind === 'parent' ? [name] : [])))
}

/** A list of objects in the rows of an entity, and one object of it. */
interface HeldList {
  readonly name: string
  readonly item: View
  readonly via: Via
  readonly why: string
}

function listsOf(draft: Draft, schemas: Schemas): readonly HeldList[] {
  return [...propertiesOf(draft, schemas)].flatMap(([name, schema]: readonly [string, Json]): HeldList[] => {
    const view = schemas.view(schema)
    const page = pageObjectOf(view, schemas)
    if (page) {
      const via = { kind: 'parent', path: [name, page.name], ...(page.cut && { cut: page.cut }) } as const
      return [{ name, item: page.item, via, why: `the objects in \`${name}.${page.name}\` of each row` }]
    }
    const item = schemas.view(view.items)
    const isRows = isArray(view) && !isArray(item) && schemas.properties(item).size > 0
    return isRows ? [{ name, item, via: { kind: 'embedded' }, why: 'a list of objects in each row' }] : []
  })
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
