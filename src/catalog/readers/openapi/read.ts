import type { Json } from '../../../base/canonical.ts'
import { firstFree } from '../../../base/free-name.ts'
import { freeze } from '../../../base/freeze.ts'
import { child, scalarText } from '../../../base/json.ts'
import { snake } from '../../../base/words/names.ts'
import { lint } from '../../lint/lint.ts'
import type { Entity, Relation, ServedCatalog } from '../../model.ts'
import { type Explanation, MAX_PART_CHARACTERS, type Reading } from '../../source.ts'
import { Notes } from '../document/notes.ts'
import type { SourceFile } from '../reader.ts'
import { authOf } from './access/auth.ts'
import { addressOf, addressOfTwo, NO_SERVER } from './access/servers.ts'
import { noteBeside } from './capabilities/beside.ts'
import { type Built, capabilityOf } from './capabilities/capability.ts'
import { labelled } from './capabilities/labels.ts'
import { pathOf } from './entities/anchors.ts'
import { Book } from './entities/book.ts'
import type { Draft, Scalar, Use } from './entities/draft.ts'
import { noteResources } from './entities/columns.ts'
import { fieldsOf } from './entities/fields.ts'
import { listsIn, pagesOf } from './entities/lists.ts'
import { idFromOf } from './entities/wrapped-id.ts'
import { isOfCalls, placed } from './entities/places.ts'
import { type FoundRelation, partRelationsOf, relationsOf } from './entities/relations.ts'
import { usesOf } from './entities/uses.ts'
import { applyOverlay } from './overlay/apply.ts'
import { openapiProblem } from './problems.ts'
import { describe } from './prose.ts'
import { listAt, textAt } from './schema/keywords.ts'
import { Schemas } from './schema/schemas.ts'
import { documentOf, versionOf } from './source/document.ts'
import { type Operation, titleOf } from './source/operation.ts'
import { type Listed, operationsOf } from './source/operations.ts'
import { References } from './source/refs.ts'

/** The text of one document. */
export interface OpenapiSource {
  /** The path or URL that the operator configured. */
  readonly path: string
  /** The id of the catalog. */
  readonly id: string
  readonly file: SourceFile
  /** An Overlay document, which is applied before anything is read. */
  readonly overlay?: SourceFile | undefined
}

/**
 * Reads an OpenAPI document (2.0, 3.0, 3.1): every operation becomes a capability of an entity. The same text always gives
 * the same catalog. References to other documents are noted and never followed.
 */
export function readOpenapi(source: OpenapiSource): Reading {
  const { path, id } = source
  const notes = new Notes()
  const document = overlaid(documentOf(source.file, notes), source.overlay, notes)
  const said = document === undefined ? undefined : checkedVersion(document, source, notes)
  if (document === undefined || !said) return { path, id, errors: notes.errors, warnings: notes.warnings }
  return catalogOf(document, source, notes)
}

/** The document after the overlay; undefined with the problems noted if one of them cannot be read. */
function overlaid(document: Json | undefined, file: SourceFile | undefined, notes: Notes): Json | undefined {
  if (document === undefined || file === undefined) return document
  const overlay = documentOf(file, notes)
  if (overlay === undefined) return undefined
  const place = { file: file.file }
  const done = applyOverlay(document, overlay)
  if ('code' in done) {
    notes.error({ ...done, ...place })
    return undefined
  }
  for (const warning of done.warnings) notes.warn({ ...warning, ...place })
  return done.document
}

function checkedVersion(document: Json, { file: { file } }: OpenapiSource, notes: Notes): boolean {
  const version = versionOf(document) ?? ''
  if (/^(?:2\.0|3\.[01](?:\.|$))/.test(version) || version === '2' || version === '3') return true
  notes.error(openapiProblem('openapi_version', { version }, { file }))
  return false
}

function catalogOf(document: Json, source: OpenapiSource, notes: Notes): Reading {
  const { path, id } = source
  const refs = new References(document)
  const listed = operationsOf(document, refs)
  const auth = authOf(document, listed.operations, refs, id)
  const version = scalarText(child(child(document, 'info'), 'version'))
  const book = new Book(new Schemas(refs), { version, auth: auth.auth })
  const ofCalls = isOfCalls(listed.operations)
  const uses = usesOf(
    listed.operations.map((operation) => placed(operation, book.schemas, ofCalls)),
    book,
  )
  noteScalars(uses)
  noteResources(book)
  noteBeside(uses, book.schemas)
  const model = new Model(document, source, uses, book)
  const { built, large } = model.capabilities()
  const { entities, found, held } = model.entities(built)
  const address = model.address()
  const catalog: ServedCatalog = {
    id,
    version: 0,
    ...titleText(document),
    origin: address ?? NO_SERVER,
    otherOrigins: model.otherOrigins(),
    aliases: [],
    entities,
    capabilities: built.map(({ capability }) => capability),
    auth: auth.auth,
    unsupported: [],
  }
  const left = [...listed.left, ...large.map(({ use }) => tooLarge(use))]
  const isEmpty = built.length === 0
  noteAll(
    { listed, left, isEmpty, refs, hasServer: address !== undefined, schemes: auth.others },
    source,
    notes,
  )
  const frozen = freeze(catalog)
  for (const warning of lint(frozen)) if (!EXPECTED.has(warning.code)) notes.warn(warning)
  const { errors, warnings } = notes
  const reading = { path, id, errors, warnings }
  if (errors.length > 0) return reading
  const why: readonly Explanation[] = [
    { about: id, lines: [auth.why] },
    ...[...book.drafts, ...held].map(({ name, why: lines }) => ({
      about: name,
      lines: [...lines, ...found.filter(({ owner }) => owner.name === name).map((one) => one.why)],
    })),
    ...built.map(({ capability, why: lines }) => ({ about: capability.name, lines })),
  ]
  const operations = {
    total: listed.operations.length + listed.left.length,
    reachable: new Set(
      built.flatMap(({ capability, use }) =>
        capability.unsupported.length === 0 ? [titleOf(use.placed.operation)] : [],
      ),
    ).size,
    left,
  }
  return { ...reading, catalog: frozen, operations, why }
}

function tooLarge({ placed: { operation } }: Use): Listed['left'][number] {
  const reason = `its arguments fill more than ${MAX_PART_CHARACTERS} characters of the catalog`
  return { operation: titleOf(operation), reason }
}

/** An imported API may well have two reads without arguments: their names tell them apart. */
const EXPECTED = new Set(['two_plain_reads', 'unknown_provides', 'action_says_nothing', 'entity_unreachable'])

function titleText(document: Json) {
  const info = child(document, 'info')
  const text = describe(textAt(info, 'description')) ?? textAt(info, 'title')
  return text === undefined ? {} : { description: text }
}

/** Answers that are no objects fill one field of their entity: of any type, if they are of several types. */
function noteScalars(uses: readonly Use[]): void {
  for (const { entity, placed: one, showsRows } of uses) {
    if (!showsRows || one.answer.form === 'object') continue
    const { kind } = one.operation.answer
    const found: Scalar =
      kind === 'bytes'
        ? { field: 'content' }
        : kind === 'text'
          ? { field: 'text' }
          : { field: 'value', view: one.answer.view }
    const known = entity.scalar
    const isOther = known?.view !== undefined && known.view.types.join() !== found.view?.types.join()
    entity.scalar = known === undefined ? found : isOther ? { field: known.field } : known
  }
}

type BuiltUse = Built & { readonly use: Use }

class Model {
  readonly #document: Json
  readonly #source: OpenapiSource
  readonly #uses: readonly Use[]
  readonly #byEntity = new Map<Draft, Use[]>()
  readonly #book: Book
  readonly #others = new Set<string>()

  constructor(document: Json, source: OpenapiSource, uses: readonly Use[], book: Book) {
    this.#document = document
    this.#source = source
    this.#uses = uses
    this.#book = book
    for (const use of uses) {
      const own = this.#byEntity.get(use.entity)
      if (own) own.push(use)
      else this.#byEntity.set(use.entity, [use])
    }
  }

  #usesOf(draft: Draft): readonly Use[] {
    return this.#byEntity.get(draft) ?? []
  }

  /** The capabilities, those of one entity together: the plain ones first. */
  capabilities(): {
    readonly built: readonly BuiltUse[]
    /** Those that are too large to be served. */
    readonly large: readonly BuiltUse[]
  } {
    const paths = new Map<string, number>()
    for (const { placed: one } of this.#uses) paths.set(pathOf(one), (paths.get(pathOf(one)) ?? 0) + 1)
    const isShared = (path: string) => (paths.get(path) ?? 0) > 1
    const names = new Set<string>()
    const all = this.#book.drafts.flatMap((draft) => {
      const taken = new Set(this.#fieldNames(draft))
      return inOrder(labelled(this.#usesOf(draft), taken, isShared)).map(({ use, label }): BuiltUse => {
        const name = unique(`${snake(draft.name)}_${label.replaceAll('-', '_')}`, names)
        return { ...capabilityOf(use, { name, label }, this.#book, this.#baseOf(use.placed.operation)), use }
      })
    })
    const isLarge = ({ capability }: BuiltUse) => JSON.stringify(capability).length > MAX_PART_CHARACTERS
    const large = all.filter(isLarge)
    return { built: all.filter((one) => !large.includes(one)), large }
  }

  entities(built: readonly BuiltUse[]): {
    readonly entities: readonly Entity[]
    readonly found: readonly FoundRelation[]
    /** The entities of objects that rows hold. */
    readonly held: readonly Draft[]
  } {
    const names = (draft: Draft) => new Set(this.#fieldNames(draft))
    const nested = relationsOf(built, this.#book, (draft) => {
      const pages = pagesOf(draft, this.#book)
      return new Set(this.#fieldNames(draft).filter((name) => !pages.has(name)))
    })
    const parts = partRelationsOf(built, this.#book, (draft) => {
      const own = nested.filter(({ owner }) => owner === draft).map(({ relation }) => relation.name)
      return new Set([...names(draft), ...own])
    })
    const used = new Set(built.map(({ capability }) => capability.entity))
    const drafts = this.#book.drafts.filter(({ name }) => used.has(name))
    const lists = listsIn(drafts, this.#book, (draft) => this.#fields(draft))
    const found = [...nested, ...parts, ...lists.found]
    const entityOf = (draft: Draft) => {
      const own = found.filter(({ owner }) => owner === draft).map(({ relation }) => relation)
      return this.#entity(draft, uniqueRelations(own))
    }
    const held = lists.drafts.map((draft) => ({ ...entityOf(draft), key: [], abstract: true }))
    return { entities: [...drafts.map(entityOf), ...held], found, held: lists.drafts }
  }

  address(): string | undefined {
    const { path } = this.#source
    const [server] = listAt(this.#document, 'servers')
    if (child(this.#document, 'swagger') !== undefined) return addressOfTwo(this.#document, path)
    return server === undefined ? addressOf({ url: '/' }, path) : addressOf(server, path)
  }

  /** The addresses of operations that have a server of their own. */
  otherOrigins(): readonly string[] {
    return [...this.#others].toSorted()
  }

  #baseOf({ server }: Operation): string | undefined {
    const base = server === undefined ? undefined : addressOf(server, this.#source.path)
    if (base === undefined || base === this.address()) return undefined
    this.#others.add(new URL(base).origin)
    return base
  }

  #fieldNames(draft: Draft): readonly string[] {
    return this.#fields(draft).map(({ name }) => name)
  }

  readonly #made = new Map<Draft, Entity['fields']>()

  #fields(draft: Draft): Entity['fields'] {
    const known = this.#made.get(draft)
    if (known) return known
    const schemaOf = (argument: string) =>
      this.#usesOf(draft)
        .flatMap(({ placed: { operation } }) => operation.parameters)
        .find(({ in: place, name, schema }) => place === 'path' && name === argument && schema !== undefined)
        ?.schema
    const fields = fieldsOf(draft, this.#book, schemaOf)
    this.#made.set(draft, fields)
    return fields
  }

  #entity(draft: Draft, relations: readonly Relation[]): Entity {
    const description = describe(draft.description)
    return {
      name: draft.name,
      ...(description !== undefined && { description }),
      key: draft.anchor?.slots ?? ['id'],
      ...idFromOf(draft, this.#usesOf(draft), this.#book.schemas),
      implicitIdentity: draft.anchor?.isImplicit ?? false,
      abstract: false,
      aliases: [],
      fields: this.#fields(draft),
      relations,
      terms: draft.noun === '' ? [] : draft.noun.split(' '),
    }
  }
}

const ORDER = ['get', 'query', 'search', 'create', 'update', 'delete', 'action']

/** Plain names before others, in the order of kinds; deprecated operations last. */
function inOrder<Labelled extends { readonly use: Use; readonly label: string }>(
  all: readonly Labelled[],
): readonly Labelled[] {
  const rank = ({ use, label }: Labelled) =>
    (use.placed.operation.isDeprecated ? 100 : 0) + (label === use.kind ? 0 : 10) + ORDER.indexOf(use.kind)
  return all.toSorted((a, b) => rank(a) - rank(b))
}

function unique(name: string, taken: Set<string>): string {
  const free = firstFree(name, (one) => taken.has(one))
  taken.add(free)
  return free
}

function uniqueRelations(relations: readonly Relation[]): readonly Relation[] {
  return [
    ...new Map(relations.toReversed().map((relation) => [relation.name, relation])).values(),
  ].toReversed()
}

interface Noted {
  readonly listed: Listed
  readonly left: Listed['left']
  /** No operation can be called. */
  readonly isEmpty: boolean
  readonly refs: References
  readonly hasServer: boolean
  readonly schemes: readonly string[]
}

function noteAll(
  { listed, left, isEmpty, refs, hasServer, schemes }: Noted,
  { file: { file } }: OpenapiSource,
  notes: Notes,
): void {
  const at = { file }
  if (isEmpty) notes.error(openapiProblem('openapi_no_operations', {}, at))
  if (!hasServer) notes.warn(openapiProblem('server_missing', {}, at))
  const [outside] = refs.outside
  if (outside !== undefined)
    notes.warn(
      openapiProblem('reference_outside', { count: refs.outside.size, first: outside.slice(0, 200) }, at),
    )
  const [missing] = refs.missing
  if (missing !== undefined)
    notes.warn(
      openapiProblem('reference_missing', { count: refs.missing.size, first: missing.slice(0, 200) }, at),
    )
  if (schemes.length > 0)
    notes.warn(openapiProblem('schemes_left', { schemes: schemes.slice(0, 8).join(', ') }, at))
  if (listed.webhooks > 0) notes.warn(openapiProblem('webhooks_left', { count: listed.webhooks }, at))
  for (const one of left) notes.warn(openapiProblem('operation_left', one, at))
}
