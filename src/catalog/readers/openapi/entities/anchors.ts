import { ANYTHING, type View } from '../schema/view.ts'
import { titleOf } from '../source/operation.ts'
import type { Book } from './book.ts'
import type { Anchor } from './draft.ts'
import { identityField } from './identity.ts'
import { nounOf, type Placed, type Variable } from './places.ts'

/** Finds the entities whose rows have a path of their own, the shortest paths first. */
export function findAnchors(all: readonly Placed[], book: Book): void {
  const sorted = all.toSorted((a, b) => a.keys.length - b.keys.length)
  for (const one of sorted) if (isRowGet(one)) addItem(one, one.answer.view, book)
  const around = { byPath: byPathOf(sorted), all: sorted }
  for (const one of sorted) if (one.isItem && isWrite(one)) addWritten(one, around, book)
  const parts = sorted.filter(isPart)
  // The object with a key of its own first: another path may give the same without a key.
  for (const one of parts) if (one.variables.length > 0) addPart(one, book)
  for (const one of parts) if (one.variables.length === 0) addPart(one, book)
}

/** The whole path. */
export function pathOf({ keys }: Placed): string {
  return keys.at(-1) ?? '/'
}

/** The path of the rows that an item is one of. */
function collectionOf({ keys, operation }: Placed): string {
  const index = operation.segments.findLastIndex(({ kind }) => kind === 'literal')
  return keys[index] ?? '/'
}

function isRowGet({ operation, isItem, answer }: Placed): boolean {
  return operation.method === 'GET' && isItem && !answer.isList
}

function isWrite({ operation: { method } }: Placed): boolean {
  return method === 'PUT' || method === 'PATCH' || method === 'DELETE'
}

/** A single object at a path that ends with a word. */
function isPart({ operation, isItem, answer }: Placed): boolean {
  return operation.method === 'GET' && !isItem && !answer.isList && operation.answer.kind !== 'unknown'
}

function addItem(one: Placed, view: View, book: Book): void {
  const path = pathOf(one)
  if (book.at(path) || book.ofComponent(view)?.anchor) return
  book.add({
    noun: one.noun,
    view,
    qualifiers: qualifiersOf(one),
    anchor: anchorOf(one, view, book),
    why: `One row is at \`${one.operation.path}\`.`,
  })
}

function isSameNoun(other: Placed, one: Placed): boolean {
  return !other.isItem && other.noun.join(' ') === one.noun.join(' ')
}

/** All operations, also by their path. */
interface Around {
  readonly byPath: ReadonlyMap<string, readonly Placed[]>
  readonly all: readonly Placed[]
}

function byPathOf(all: readonly Placed[]): Around['byPath'] {
  const byPath = new Map<string, Placed[]>()
  for (const one of all) {
    const path = pathOf(one)
    const held = byPath.get(path)
    if (held) held.push(one)
    else byPath.set(path, [one])
  }
  return byPath
}

/** Rows without a get: they are listed or made at the path above, or at another one of their noun. */
function addWritten(one: Placed, { byPath, all }: Around, book: Book): void {
  if (book.at(pathOf(one))) return
  const beside = byPath.get(collectionOf(one)) ?? []
  const list = beside.find(({ operation, answer }) => operation.method === 'GET' && answer.isList)
  const made = beside.find(({ operation }) => operation.method === 'POST')
  const shown = list ?? made ?? all.find((other) => isSameNoun(other, one) && other.answer.form === 'object')
  if (!shown) return
  const { view } = shown.answer
  if (book.ofComponent(view)?.anchor) return
  addItem(one, view, book)
}

/** An object that belongs to another one, as a policy to its owner: the variables of its path are its key. */
function addPart(one: Placed, book: Book): void {
  const path = pathOf(one)
  const { view } = one.answer
  if (book.at(path) || book.collectedAt(path) || book.ofComponent(view)) return
  const anchor: Anchor | undefined =
    one.variables.length === 0
      ? undefined
      : {
          path,
          collection: path,
          variables: one.variables,
          slots: one.variables.map(({ argument }) => argument),
          ownFields: [],
          isImplicit: true,
          isPart: true,
        }
  const draft = book.add({
    noun: one.noun,
    view,
    qualifiers: qualifiersOf(one),
    ...(anchor && { anchor }),
    why: `\`${titleOf(one.operation)}\` gives one object.`,
  })
  if (!anchor) book.collects(path, draft)
}

function anchorOf(one: Placed, view: View, book: Book): Anchor {
  const last = one.operation.segments.findLastIndex(({ kind }) => kind === 'literal')
  const own = one.variables.filter(({ index }) => index > last)
  const properties = book.schemas.properties(view)
  const repeated = own.map((variable) => {
    const declared = one.operation.parameters.find(
      ({ in: place, name }) => place === 'path' && name === variable.name,
    )
    return identityField(book.schemas, variable, properties, declared)
  })
  // `/zones/{zone_name}/{record_name}`: the name of a row is the last one, the others are of what it is in.
  const ownFields = repeated.map((field, at) => (repeated.includes(field, at + 1) ? undefined : field))
  const parents = one.variables.filter(({ index }) => index < last).map(({ argument }) => argument)
  const slots = [...parents, ...own.map((variable, at) => slotOf(variable, ownFields[at], parents))]
  return {
    path: pathOf(one),
    collection: collectionOf(one),
    variables: one.variables,
    slots,
    ownFields,
    isImplicit: view === ANYTHING || ownFields.some((field) => field === undefined),
    isPart: false,
  }
}

function slotOf(variable: Variable, field: string | undefined, parents: readonly string[]): string {
  const slot = field ?? variable.name
  return parents.includes(slot) ? variable.argument : slot
}

/** The nouns of the path before the last one, the outermost first. */
export function qualifiersOf({ operation, noun, variables }: Placed): readonly (readonly string[])[] {
  const literals = operation.segments.flatMap((segment, index) =>
    segment.kind === 'literal' ? [{ index, text: segment.text }] : [],
  )
  const nouns = [
    ...variables.map((variable) => ({ index: variable.index, noun: variable.noun })),
    ...literals.map(({ index, text }) => ({ index, noun: nounOf(text) })),
  ].toSorted((a, b) => a.index - b.index)
  const seen = new Set([noun.join(' '), ''])
  return nouns.flatMap((one) => {
    const text = one.noun.join(' ')
    if (seen.has(text)) return []
    seen.add(text)
    return [one.noun]
  })
}
