import { wordsOf } from '../../../../base/words/names.ts'
import { singular } from '../../../../base/words/singular.ts'
import { ANYTHING } from '../schema/view.ts'
import { titleOf } from '../source/operation.ts'
import { subjectOf } from '../words.ts'
import { findAnchors, pathOf, qualifiersOf } from './anchors.ts'
import type { Book } from './book.ts'
import type { Draft, Use } from './draft.ts'
import type { Placed } from './places.ts'
import { searchesOf } from './searches.ts'
import { isCommand, isCreating, readingPost, SEARCH_NAMES } from './verbs.ts'

/** Gives every operation an entity and a kind, in the order of the document; a search of several entities one of each. */
export function usesOf(all: readonly Placed[], book: Book): readonly Use[] {
  findAnchors(all, book)
  const lists = all.filter(isList)
  for (const one of lists.toSorted((a, b) => a.keys.length - b.keys.length)) listEntity(one, book)
  const methods = new Map<string, Set<string>>()
  for (const one of all) {
    const path = pathOf(one)
    methods.set(path, (methods.get(path) ?? new Set()).add(one.operation.method))
  }
  return all.flatMap((one) => {
    const search = one.operation.method === 'GET' ? searchName(one) : undefined
    const searches = search === undefined ? [] : searchesOf(one, search, book)
    return searches.length > 0 ? searches : [useOf(one, book, methods.get(pathOf(one)) ?? new Set())]
  })
}

function isReading({ operation }: Placed): boolean {
  if (operation.method === 'GET') return !isCommand(operation)
  return operation.method === 'POST' && readingPost(operation) !== undefined
}

function isList(one: Placed): boolean {
  if (!isReading(one)) return false
  return (
    one.answer.isList ||
    (one.operation.answer.kind === 'unknown' && !one.isItem && one.operation.method === 'GET')
  )
}

/** The entity of a list's rows. */
function listEntity(one: Placed, book: Book): Draft {
  const path = pathOf(one)
  const { view } = one.answer
  const known = book.collectedAt(path) ?? book.ofComponent(view) ?? book.ofNoun(one.noun, view)
  if (known) {
    book.show(known, view)
    book.collects(path, known)
    return known
  }
  const subject = one.isCall && view.name !== undefined ? subjectOf(view.name) : []
  const draft = book.add({
    // Methods belong to the noun of their path; what one of them lists may be something else.
    noun: subject.length > 0 ? subject : one.noun,
    view,
    qualifiers: qualifiersOf(one),
    why: `\`${titleOf(one.operation)}\` lists its rows.`,
  })
  book.collects(path, draft)
  return draft
}

function useOf(one: Placed, book: Book, methods: ReadonlySet<string>): Use {
  const { method } = one.operation
  switch (method) {
    case 'GET':
      return isCommand(one.operation) ? actionUse(one, book) : readUse(one, book, [])
    case 'HEAD':
    case 'OPTIONS':
      return { ...actionUse(one, book), effect: 'read', why: [`${method} only asks.`] }
    case 'POST': {
      const reads = readingPost(one.operation)
      const isRead = reads !== undefined && (one.answer.form !== 'anything' || one.answer.isList)
      return isRead ? readUse(one, book, [reads]) : postUse(one, book, methods)
    }
    case 'PUT':
    case 'PATCH':
      return changeUse(one, book, 'update')
    case 'DELETE':
      return changeUse(one, book, 'delete')
  }
}

function readUse(one: Placed, book: Book, why: readonly string[]): Use {
  const use = { placed: one, effect: 'read', showsRows: true } as const
  if (isList(one)) {
    const entity = listEntity(one, book)
    const search = searchName(one)
    const said = one.answer.path.length > 0 ? `a list at \`${one.answer.path.join('.')}\`` : 'a list'
    const reason =
      one.operation.answer.kind === 'unknown'
        ? 'The document does not say what it answers.'
        : `It answers ${said}.`
    return {
      ...use,
      entity,
      kind: search === undefined ? 'query' : 'search',
      isOnRow: false,
      why: [...why, reason, ...(search === undefined ? [] : [`\`${search}\` takes the words of a search.`])],
    }
  }
  const here = one.operation.method === 'GET' ? book.at(pathOf(one)) : undefined
  if (here) {
    book.show(here, one.answer.view)
    return { ...use, entity: here, kind: 'get', isOnRow: true, why: ['It answers the row at its path.'] }
  }
  const entity = singleEntity(one, book)
  book.show(entity, one.answer.view)
  return { ...use, entity, kind: 'get', isOnRow: false, why: [...why, 'It answers one row.'] }
}

/** The entity of an answer that is one object. */
function singleEntity(one: Placed, book: Book): Draft {
  if (one.isCall && book.ofComponent(one.answer.view) === undefined) return callsOf(one, book)
  const path = pathOf(one)
  const { view } = one.answer
  const known = book.ofComponent(view) ?? book.collectedAt(path)
  const isAlone = known !== undefined && known.anchor === undefined && known.views.length === 0
  if (known && (isAlone || book.isOf(known, view))) return known
  return book.add({
    noun: one.noun,
    view,
    qualifiers: qualifiersOf(one),
    why: `\`${titleOf(one.operation)}\` answers it.`,
  })
}

/** The parameter that takes words, where the path or its being required says that this is a search. */
function searchName({ operation }: Placed): string | undefined {
  const last = operation.segments.at(-1)
  const isSearchPath = last?.kind === 'literal' && wordsOf(last.text).includes('search')
  const own = operation.parameters.find(
    ({ name, in: place }) => place === 'query' && SEARCH_NAMES.has(name.toLowerCase()),
  )
  return own && (own.isRequired || isSearchPath) ? own.name : undefined
}

function postUse(one: Placed, book: Book, methods: ReadonlySet<string>): Use {
  const path = pathOf(one)
  const use = { placed: one, effect: 'write' } as const
  const { view } = one.answer
  const collected = book.collectedAt(path)
  const isListed = collected && (methods.has('GET') || collected.anchor !== undefined)
  if (isListed) {
    book.show(collected, isAnswer(one) && book.isOf(collected, view) ? view : ANYTHING)
    const showsRows = isAnswer(one) && book.isOf(collected, view)
    const reason = `A POST to the path of all rows makes one.`
    return { ...use, entity: collected, kind: 'create', isOnRow: false, showsRows, why: [reason] }
  }
  const made = madeBy(one, book)
  if (made) {
    book.show(made, isAnswer(one) ? view : ANYTHING)
    const reason = `Its path and its name say that it makes one ${made.name}.`
    return { ...use, entity: made, kind: 'create', isOnRow: false, showsRows: isAnswer(one), why: [reason] }
  }
  const here = book.at(path)
  if (here) {
    // An id such as `PostCustomersCustomer` repeats the method.
    const isMade = isCreating(one.operation) && wordsOf(one.operation.operationId ?? '')[0] !== 'post'
    const isOther = methods.has('PUT') || methods.has('PATCH') || isMade
    const kind = isOther ? 'action' : 'update'
    return {
      ...use,
      entity: here,
      kind,
      isOnRow: true,
      showsRows: book.isOf(here, view) && isAnswer(one),
      why: ['A POST to the row itself.'],
    }
  }
  return actionUse(one, book)
}

/** The entity of which a POST makes a row: that of its answer or of its path's noun, if the row has a path elsewhere. */
function madeBy(one: Placed, book: Book): Draft | undefined {
  const { view } = one.answer
  const row = rowBefore(one, book)
  const byAnswer = isCreating(one.operation) ? book.ofComponent(view) : undefined
  if (byAnswer && byAnswer !== row) return byAnswer
  const byNoun = one.isItem ? undefined : book.ofNoun(one.noun, view)
  return byNoun?.anchor && !byNoun.anchor.isPart && byNoun !== row ? byNoun : undefined
}

function changeUse(one: Placed, book: Book, kind: 'update' | 'delete'): Use {
  const path = pathOf(one)
  const here = book.at(path)
  if (here) {
    const showsRows = isAnswer(one) && book.isOf(here, one.answer.view)
    return {
      placed: one,
      entity: here,
      kind,
      effect: 'write',
      isOnRow: true,
      showsRows,
      why: [`${one.operation.method} at the path of one row.`],
    }
  }
  return actionUse(one, book)
}

/** An answer that only acknowledges says nothing about a row. */
const ACKNOWLEDGING = new Set([
  'ok',
  'success',
  'status',
  'message',
  'msg',
  'code',
  'error',
  'errors',
  'acknowledged',
  'header',
  'meta',
  'metadata',
  'request_id',
  'requestid',
  'result',
  'id',
  'detail',
])

/** An object, a declared value, or a map of values; of a delete an object only. */
function isAnswer({ answer, operation }: Placed): boolean {
  const isValue = operation.answer.kind === 'json' && operation.method !== 'DELETE' && !answer.isList
  return answer.form === 'object' || (isValue && (answer.form === 'scalar' || answer.form === 'map'))
}

function isAcknowledgement(one: Placed, book: Book): boolean {
  if (one.answer.form !== 'object' && isAnswer(one)) return false
  if (!isAnswer(one))
    return one.operation.answer.kind !== 'text' && one.operation.answer.kind !== 'bytes' && !one.answer.isList
  return [...book.schemas.properties(one.answer.view).keys()].every((name) =>
    ACKNOWLEDGING.has(name.toLowerCase()),
  )
}

/** Anything else that changes data: on the row that its path leads through, on its answer's entity, or on its path's noun. */
function actionUse(one: Placed, book: Book): Use {
  const use = { placed: one, kind: 'action', effect: 'write' } as const
  const { view } = one.answer
  const row = rowBefore(one, book)
  const isEmpty = isAcknowledgement(one, book)
  if (row && (isEmpty || book.isOf(row, view)))
    return {
      ...use,
      entity: row,
      isOnRow: true,
      showsRows: !isEmpty,
      why: [`Its path leads through one ${row.name}.`],
    }
  if (!isEmpty) {
    const entity = answeredEntity(one, book, row)
    if (one.answer.form === 'object' && isMaking(one))
      return {
        ...use,
        entity,
        kind: 'create',
        isOnRow: false,
        showsRows: true,
        why: [`A POST to a plural makes one ${entity.name}.`],
      }
    return { ...use, entity, isOnRow: false, showsRows: true, why: [`It answers ${entity.name}.`] }
  }
  const entity =
    row ?? collectionBefore(one, book) ?? book.ofNoun(one.noun, ANYTHING) ?? nounEntity(one, book)
  return {
    ...use,
    entity,
    isOnRow: row !== undefined,
    showsRows: false,
    why: ['It acknowledges and answers no row.'],
  }
}

/** A POST to `/documents` makes a document. */
function isMaking({ operation: { method, segments } }: Placed): boolean {
  const last = segments.at(-1)
  const word = last?.kind === 'literal' ? wordsOf(last.text).at(-1) : undefined
  return method === 'POST' && word !== undefined && singular(word) !== word
}

function answeredEntity(one: Placed, book: Book, row: Draft | undefined): Draft {
  const known = book.ofComponent(one.answer.view)
  if (known) {
    book.show(known, one.answer.view)
    return known
  }
  if (one.isCall) return callsOf(one, book)
  const noun = row ? [...wordsOf(row.name), ...one.noun] : one.noun
  return book.add({
    noun,
    view: one.answer.view,
    qualifiers: qualifiersOf(one),
    why: `\`${titleOf(one.operation)}\` answers it.`,
  })
}

/** The row that a longer path leads through: of `/a/{}/b/{}/c` the one at `/a/{}/b/{}`. */
export function rowBefore({ keys }: Placed, book: Book): Draft | undefined {
  for (let index = keys.length - 2; index >= 0; index--) {
    const draft = book.at(keys[index] ?? '')
    if (draft) return draft
  }
  return undefined
}

function collectionBefore({ keys }: Placed, book: Book): Draft | undefined {
  for (let index = keys.length - 1; index >= 0; index--) {
    const draft = book.collectedAt(keys[index] ?? '')
    if (draft) return draft
  }
  return undefined
}

/** The entity of the methods of one noun whose answers are no rows of another entity; it has the fields of all answers. */
function callsOf(one: Placed, book: Book): Draft {
  const draft =
    book.callsOf(one.noun) ??
    book.add({
      noun: one.noun,
      view: ANYTHING,
      qualifiers: qualifiersOf(one),
      why: 'It groups the methods of its path.',
      isOfCalls: true,
    })
  book.show(draft, one.answer.view)
  return draft
}

/** An entity that groups calls without rows: the first noun of the path. */
function nounEntity(one: Placed, book: Book): Draft {
  if (one.isCall) return callsOf(one, book)
  const [first = one.noun] = qualifiersOf(one)
  const noun = first.length > 0 ? first : one.noun
  return (
    book.ofNoun(noun, ANYTHING) ??
    book.add({ noun, view: ANYTHING, qualifiers: [], why: 'It groups calls without rows.' })
  )
}
