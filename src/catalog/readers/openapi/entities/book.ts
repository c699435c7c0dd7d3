import type { Json } from '../../../../base/canonical.ts'
import { firstFree } from '../../../../base/free-name.ts'
import { pascal, wordsOf } from '../../../../base/words/names.ts'
import type { Auth } from '../../../auth/auth.ts'
import type { Schemas } from '../schema/schemas.ts'
import type { View } from '../schema/view.ts'
import { singularWords, subjectOf } from '../words.ts'
import type { Anchor, Draft } from './draft.ts'
import { isReadingWord } from './verbs.ts'

/** How alike two objects are that share a noun: the share of the smaller one's properties. */
const ALIKE = 0.5
const LONGEST_SUBJECT = 4

/** What a document states of its whole API. */
export interface Stated {
  readonly version: string | undefined
  /** The credential that the server puts into each call. */
  readonly auth: Auth
}

/** The entities that were found so far, by name, noun and component. */
export class Book {
  readonly schemas: Schemas
  readonly document: Stated
  readonly drafts: Draft[] = []
  readonly #names = new Set<string>()
  readonly #byNoun = new Map<string, Draft>()
  readonly #bySubject = new Map<string, Draft>()
  readonly #byAnchor = new Map<string, Draft>()
  readonly #byCollection = new Map<string, Draft>()
  readonly #ofCalls = new Map<string, Draft>()

  constructor(schemas: Schemas, document: Stated) {
    this.schemas = schemas
    this.document = document
  }

  /** The entity whose row has this path. */
  at(path: string): Draft | undefined {
    return this.#byAnchor.get(path)
  }

  /** The entity whose rows are listed at this path. */
  collectedAt(path: string): Draft | undefined {
    return this.#byCollection.get(path)
  }

  /** Notes that the rows of an entity are listed at this path. */
  collects(path: string, draft: Draft): void {
    if (!this.#byCollection.has(path)) this.#byCollection.set(path, draft)
  }

  /** The entity of a component, or of one whose name differs only in words such as `Summary`. */
  ofComponent(view: View): Draft | undefined {
    const subject = subjectText(view)
    return subject === undefined ? undefined : this.#bySubject.get(subject)
  }

  /** The entity of this noun, if its rows look like the view or the view shows nothing. */
  ofNoun(noun: readonly string[], view: View): Draft | undefined {
    const draft = this.#byNoun.get(noun.join(' '))
    return draft && (this.#isAlike(draft, view) ? draft : undefined)
  }

  /** The entity of this noun, or of this name. */
  named(words: readonly string[]): Draft | undefined {
    const noun = words.join(' ')
    const wanted = pascal(noun)
    return this.#byNoun.get(noun) ?? this.drafts.find(({ name }) => name === wanted)
  }

  /** The entity that groups the methods of this noun. */
  callsOf(noun: readonly string[]): Draft | undefined {
    return this.#ofCalls.get(noun.join(' '))
  }

  /** Adds an entity. Its name comes from the component if there is one, else from the noun; qualifiers keep it unique. */
  add(wanted: {
    readonly noun: readonly string[]
    readonly view: View
    readonly qualifiers: readonly (readonly string[])[]
    readonly anchor?: Anchor
    readonly why: string
    readonly isOfCalls?: boolean
  }): Draft {
    const { noun, view, qualifiers, anchor, why, isOfCalls } = wanted
    const subject = view.name === undefined ? undefined : subjectOf(view.name)
    const isVerb = subject?.length === 1 && isReadingWord(subject[0])
    const isUsable =
      subject !== undefined && subject.length > 0 && subject.length <= LONGEST_SUBJECT && !isVerb
    const words = isUsable ? subject : noun
    const name = this.#unique(words, noun, qualifiers)
    const from = isUsable ? `the component \`${view.name}\`` : `the path`
    const draft: Draft = {
      name,
      noun: noun.join(' '),
      ...(anchor && { anchor }),
      views: [],
      why: [`Named after ${from}.`, why],
    }
    this.drafts.push(draft)
    this.#names.add(name)
    if (isOfCalls) this.#ofCalls.set(draft.noun, draft)
    if (!this.#byNoun.has(draft.noun)) this.#byNoun.set(draft.noun, draft)
    const text = subjectText(view)
    if (text !== undefined && !this.#bySubject.has(text)) this.#bySubject.set(text, draft)
    if (anchor && !this.#byAnchor.has(anchor.path)) this.#byAnchor.set(anchor.path, draft)
    if (anchor && anchor.collection !== anchor.path) this.collects(anchor.collection, draft)
    this.show(draft, view)
    return draft
  }

  /** An entity of objects that other rows hold. */
  part(view: View, { owner, name }: { readonly owner: Draft; readonly name: string }): Draft {
    const around = wordsOf(owner.name)
    const own = [...around, ...singularWords(wordsOf(name))]
    const subject = view.name === undefined ? [] : subjectOf(view.name)
    const isUsable = subject.length > 0 && subject.length <= LONGEST_SUBJECT
    const named = this.#unique(isUsable ? subject : own, own, [around])
    this.#names.add(named)
    const why = [`Objects in \`${name}\` of ${owner.name}.`]
    const { description } = view
    return { name: named, noun: '', views: [view], why, ...(description !== undefined && { description }) }
  }

  /** Notes what an answer shows of an entity. */
  show(draft: Draft, view: View): void {
    if (this.#properties(view).size > 0 && !draft.views.includes(view)) draft.views.push(view)
    if (view.description !== undefined) draft.description ??= view.description
  }

  /** Whether an answer shows rows of the entity. */
  isOf(draft: Draft, view: View): boolean {
    return this.ofComponent(view) === draft || (draft.views.length > 0 && this.#isAlike(draft, view))
  }

  #isAlike(draft: Draft, view: View): boolean {
    const others = this.#properties(view)
    const own = new Set(draft.views.flatMap((one) => [...this.#properties(one).keys()]))
    if (others.size === 0 || own.size === 0) return true
    const shared = [...others.keys()].filter((name) => own.has(name)).length
    return shared >= ALIKE * Math.min(others.size, own.size)
  }

  #properties(view: View): ReadonlyMap<string, Json> {
    return this.schemas.properties(view)
  }

  #unique(
    words: readonly string[],
    noun: readonly string[],
    qualifiers: readonly (readonly string[])[],
  ): string {
    const plain = words.length > 0 ? words : noun.length > 0 ? noun : ['resource']
    const base = nameOf(plain)
    if (!this.#names.has(base)) return base
    let qualified: readonly string[] = noun.length > 0 ? noun : plain
    for (const qualifier of [...qualifiers].toReversed()) {
      qualified = [...qualifier, ...qualified]
      const name = nameOf(qualified)
      if (!this.#names.has(name)) return name
    }
    return firstFree(
      base,
      (name) => this.#names.has(name),
      (name, number) => `${name}${number}`,
    )
  }
}

/** A name that programs can write: it begins with a letter. */
function nameOf(words: readonly string[]): string {
  const name = pascal(words.join(' ')).replaceAll(/[^A-Za-z0-9_]/g, '')
  return /^[A-Za-z]/.test(name) && !/^[emp]\d+$/i.test(name) ? name : `R${name}`
}

function subjectText(view: View): string | undefined {
  const words = view.name === undefined ? [] : subjectOf(view.name)
  return words.length === 0 ? undefined : words.join(' ')
}
