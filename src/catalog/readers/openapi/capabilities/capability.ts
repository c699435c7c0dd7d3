import { wordsOf } from '../../../../base/words/names.ts'
import type { Capability, Parameter } from '../../../model.ts'
import type {
  AnswerShape,
  Expression,
  HttpRequest,
  PathSegment,
  Reshape,
} from '../../../calls/http-request.ts'
import { isCredential } from '../access/parameters.ts'
import type { Book } from '../entities/book.ts'
import { columnsOf } from '../entities/columns.ts'
import type { Use } from '../entities/draft.ts'
import { keyType, referenceOr } from '../entities/typed.ts'
import type { Variable } from '../entities/places.ts'
import { describe } from '../prose.ts'
import { titleOf } from '../source/operation.ts'
import { type Beside, besideOf, leftBeside } from './beside.ts'
import { bodyOf } from './body.ts'
import { pagingOf } from './paging.ts'
import { constantText, guarded, Names, type Sent, sentByParameter } from './sent.ts'
import { verdictOf } from './verdict.ts'

/** A capability, and why it is as it is. */
export interface Built {
  readonly capability: Capability
  readonly why: readonly string[]
}

export interface Naming {
  readonly name: string
  readonly label: string
}

/** Builds the capability of an operation. `base`: the address of its own server, if it has one. */
export function capabilityOf(use: Use, naming: Naming, book: Book, base?: string): Built {
  const { placed, entity, kind, effect } = use
  const { operation } = placed
  const reads = kind === 'query' || kind === 'search'
  const names = new Names(entity.name, reservedBy(use))
  const mayList = placed.answer.isList || placed.answer.form === 'anything'
  const paging = reads && mayList ? pagingOf(placed, book.schemas) : undefined
  const beside = besideOf(use, book.schemas)
  const path = pathOf(use, names, book)
  const parameters = operation.parameters.filter(
    (parameter) =>
      parameter.in !== 'path' &&
      !isCredential(parameter, book.document.auth) &&
      !(parameter.in === 'query' && paging?.filled.has(parameter.name)),
  )
  const keyHeader = parameters.find(
    ({ in: place, name }) => place === 'header' && /^(?:x-)?idempotency-key$/i.test(name),
  )
  const sentIn = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place && parameter !== keyHeader)
      .flatMap((parameter) => sentByParameter(parameter, use, book, names))
  // Paging may fill a key of an object: `page[offset]`.
  const query = sentIn('query').filter(({ wire }) => !paging?.filled.has(wire))
  const headers = sentIn('header')
  const cookies = sentIn('cookie')
  const body = bodyOf(
    use,
    book,
    names,
    operation.method === 'GET' ? new Set() : (paging?.filled ?? new Set()),
  )
  const all = [...path.sent, ...query, ...headers, ...cookies, ...body.sent].flatMap(
    ({ parameter, fileName }) => [parameter ?? [], fileName ?? []].flat(),
  )
  const headerFields = [...headers.map(headerOf), ...cookieHeader(cookies)]
  const request: HttpRequest = {
    method: operation.method,
    path: base === undefined ? path.segments : [{ type: 'literal', value: base }, ...path.segments],
    ...(query.length > 0 && { query: objectOf(query) }),
    ...(headerFields.length > 0 && { headers: { type: 'object', fields: headerFields } }),
    ...body.request,
    ...(paging && { paging: paging.paging }),
    response: answerShape(use, beside, book),
  }
  const description = descriptionOf(use)
  const says = effect === 'write' && !use.showsRows
  const provides = use.showsRows ? providedBy(use, book, beside) : undefined
  const capability: Capability = {
    name: naming.name,
    entity: entity.name,
    kind,
    label: naming.label,
    ...(description !== undefined && { description }),
    // Required arguments first, as they stand in calls.
    parameters: [...all.filter(({ required }) => required), ...all.filter(({ required }) => !required)],
    openInput: body.request.openBody === true,
    ...(provides && { provides }),
    effect: effect === 'read' ? 'read' : says ? 'side_effect' : 'write',
    ...(says && { sideEffect: description ?? titleOf(operation) }),
    omitAggregateScope: false,
    call: { kind: 'http', request },
    unsupported: [],
    ...(keyHeader && effect === 'write' && { idempotencyHeader: keyHeader.name }),
    terms: termsOf(use),
  }
  const why = [
    `${titleOf(operation)}.`,
    ...use.why,
    ...placed.misdescribed.map(
      (place) => `The schema calls \`${place}\` an object, its example is a list: the example counts.`,
    ),
    ...beside.map(({ path: way }) => `\`${way.join('.')}\` stands beside the list: each row holds it.`),
    ...leftBeside(use, book.schemas).map(
      ({ path: way }) =>
        `\`${way.join('.')}\` stands beside the list and is no column: a row that is read alone lacks it.`,
    ),
    ...(paging ? [paging.why] : []),
    ...(body.why === undefined ? [] : [body.why]),
  ]
  return { capability, why }
}

/** Names that the row's key fills: no argument may have one of them. */
function reservedBy({ entity, kind, isOnRow }: Use): readonly string[] {
  const slots = entity.anchor?.slots ?? ['id']
  if (isOnRow) return [...slots, 'id']
  return kind === 'query' || kind === 'search' || kind === 'create' ? [] : [...slots, 'id']
}

/** The path with its variables: those of the row are filled by its key, others are arguments. */
function pathOf(
  use: Use,
  names: Names,
  book: Book,
): { readonly segments: readonly PathSegment[]; readonly sent: readonly Sent[] } {
  const { placed, entity, isOnRow } = use
  const { operation, variables } = placed
  const slots = isOnRow ? (entity.anchor?.slots ?? []) : []
  const sent: Sent[] = []
  const nameAt = new Map<number, string>()
  for (const [order, variable] of variables.entries()) {
    const slot = slots[order]
    if (slot !== undefined) {
      nameAt.set(variable.index, slot)
      continue
    }
    const parameter = argumentOf(variable, use, names, book)
    nameAt.set(variable.index, parameter.name)
    sent.push({ wire: variable.name, parameter, expression: { type: 'var', name: parameter.name } })
  }
  const segments = operation.segments.map((segment, index): PathSegment => {
    const glued = segment.glued ? { glued: true as const } : {}
    return segment.kind === 'literal'
      ? { type: 'literal', value: encoded(segment.text), ...glued }
      : {
          type: 'var',
          name: nameAt.get(index) ?? segment.name,
          suffix: encoded(segment.suffix),
          encode: segment.pattern === undefined ? 'segment' : 'slashes',
          ...glued,
        }
  })
  const isOpenEnded = operation.path.length > 1 && operation.path.endsWith('/')
  return { segments: isOpenEnded ? [...segments, { type: 'literal', value: '' }] : segments, sent }
}

/** Literals are written into the path as they are. */
function encoded(text: string): string {
  return text.replaceAll(/[^\w\-.~!$&'()*+,;=:@%]/g, (character) => encodeURIComponent(character))
}

function argumentOf(variable: Variable, use: Use, names: Names, book: Book): Parameter {
  const { operation, keys } = use.placed
  const declared = operation.parameters.find(
    ({ in: place, name }) => place === 'path' && name === variable.name,
  )
  const description = describe(declared?.description)
  const row = book.at(keys[variable.index] ?? '')
  const plain = keyType(book.schemas, declared?.schema)
  const isOneKey = row?.anchor?.slots.length === 1
  return {
    name: names.of(variable.argument),
    type:
      isOneKey && row ? { kind: 'reference', entity: row.name } : referenceOr(variable.argument, plain, book),
    ...(description !== undefined && { description }),
    required: true,
    role: 'scope',
  }
}

function objectOf(sent: readonly Sent[]): Expression {
  return { type: 'object', fields: sent.map(({ wire, expression }) => [wire, expression] as const) }
}

function headerOf({ wire, expression }: Sent): readonly [string, Expression] {
  return [
    wire,
    expression.type === 'const' ? { type: 'const', value: constantText(expression.value) } : expression,
  ]
}

/** All cookies in one header. */
function cookieHeader(cookies: readonly Sent[]): readonly (readonly [string, Expression])[] {
  if (cookies.length === 0) return []
  const elements = cookies.map(({ wire, expression, parameter }): Expression => {
    const pair: Expression = {
      type: 'format',
      template: `${wire}={value}`,
      vars: [['value', parameter ? { type: 'var', name: parameter.name } : expression]],
      isCookie: true,
    }
    if (!parameter || parameter.required) return pair
    return guarded(parameter.name, pair)
  })
  return [['Cookie', { type: 'join', separator: '; ', items: { type: 'array', elements } }]]
}

function answerShape(use: Use, beside: readonly Beside[], { schemas }: Book): AnswerShape {
  const { placed, entity, kind, showsRows } = use
  const { answer, operation } = placed
  const { kind: format } = operation.answer
  const text = format === 'text' || format === 'bytes' ? { format } : {}
  const lines = operation.answer.isLines ? ({ format: 'lines' } as const) : {}
  const isMany = kind === 'query' || kind === 'search'
  const single = !isMany || !answer.isList
  const path = showsRows ? answer.path : []
  const scalar = answer.form === 'object' || !showsRows ? undefined : entity.scalar
  const verdict = format === 'json' || format === 'unknown' ? verdictOf(use, schemas) : undefined
  return {
    path,
    single,
    scalar: !isMany || answer.form !== 'object',
    ...text,
    ...lines,
    ...(scalar && { reshape: wrapped(use, scalar.field) }),
    ...(beside.length > 0 && { beside: beside.map(({ path: way }) => way) }),
    ...(verdict && { verdict }),
  }
}

/**
 * Values that are no objects fill one field; objects as well if they are maps, or if nothing is known of them. A list of which
 * nothing is known may stand in an object, and its rows may hold their key.
 */
function wrapped({ placed: { answer, operation }, entity, kind }: Use, field: string): Reshape {
  const isUnknown = answer.form === 'anything'
  const key = entity.anchor?.slots ?? []
  const last = operation.segments.findLast((segment) => segment.kind === 'literal')
  return {
    kind: 'wrap',
    path: answer.path,
    field,
    ...((answer.form === 'map' || entity.views.length === 0) && { all: true as const }),
    ...(isUnknown && key.length > 0 && { key }),
    ...(isUnknown && (kind === 'query' || kind === 'search') && { list: last?.text ?? '' }),
  }
}

function providedBy({ entity, placed, kind }: Use, book: Book, beside: readonly Beside[]): readonly string[] {
  const { answer } = placed
  const around = beside.map(({ name }) => name)
  if (answer.form !== 'object') {
    const scalar = entity.scalar ? [entity.scalar.field] : []
    return [...(kind === 'create' ? [] : (entity.anchor?.slots ?? [])), ...scalar, ...around]
  }
  const shown = columnsOf(book.schemas.properties(answer.view), book.schemas).keys()
  return [...new Set([...(entity.anchor?.slots ?? []), ...shown, ...around])]
}

function descriptionOf({ placed: { operation } }: Use): string | undefined {
  const { summary, description, operationId = '' } = operation
  // A title that is generated from the name says nothing more.
  const isTitle = wordsOf(summary ?? '').join(' ') === wordsOf(operationId).join(' ')
  const text = (isTitle ? describe(description) : undefined) ?? describe(summary) ?? describe(description)
  const said = text?.replace(/\.$/, '')
  return operation.isDeprecated ? `Deprecated: ${said ?? titleOf(operation)}` : said
}

/** Search terms: the words of tags and of the operation's id. */
function termsOf({ placed: { operation } }: Use): readonly string[] {
  const words = [...operation.tags.flatMap(wordsOf), ...wordsOf(operation.operationId ?? '')]
  return [...new Set(words)].slice(0, 12)
}
