import { firstFree } from '../../../../base/free-name.ts'
import { wordsOf } from '../../../../base/words/names.ts'
import { singular } from '../../../../base/words/singular.ts'
import { fittedTo } from '../schema/fitted.ts'
import { locate, type Located, NOTHING } from '../schema/located.ts'
import { schemaOfExample } from '../schema/from-example.ts'
import type { Schemas } from '../schema/schemas.ts'
import type { Operation, Segment } from '../source/operation.ts'
import { singularWords } from '../words.ts'
import { isReadingWord } from './verbs.ts'

/** An operation, and what its path and its answer say about the resource that it belongs to. */
export interface Placed {
  readonly operation: Operation
  readonly answer: Located
  /** Where the document calls a list an object, against its own example. */
  readonly misdescribed: readonly string[]
  /** The path up to each segment, with `{}` for variables, or the form that the document gives one. */
  readonly keys: readonly string[]
  /** The path ends with a variable. */
  readonly isItem: boolean
  /** The path ends with the name of a method: `/kv/put`. */
  readonly isCall: boolean
  /** The last literal of the path as a noun in the singular, in words; of a path without one its variable's. */
  readonly noun: readonly string[]
  readonly variables: readonly Variable[]
}

export interface Variable {
  /** As the document names it. */
  readonly name: string
  /** Its segment. */
  readonly index: number
  /** The literal before it, as words in the singular. */
  readonly noun: readonly string[]
  /** The argument's name: with its noun if the name alone says too little. */
  readonly argument: string
}

/** In a document of remote procedures all paths are posted to: the last word of each names a method, not a resource. */
export function isOfCalls(operations: readonly Operation[]): boolean {
  return (
    operations.length > 1 &&
    operations.every(
      ({ method, segments }) => method === 'POST' && segments.every(({ kind }) => kind === 'literal'),
    )
  )
}

/**
 * Places an operation by its path, and finds the rows of its answer.
 *
 * @param ofCalls whether its document is one of remote procedures
 */
export function placed(operation: Operation, schemas: Schemas, ofCalls: boolean): Placed {
  const { segments } = operation
  const keys = keysOf(segments)
  const last = segments.at(-1)
  const isItem = last?.kind === 'variable'
  const owner = ofCalls ? nounAt(segments, segments.length - 2) : []
  const isCall = owner.length > 0
  const own = isCall ? owner : nounAt(segments, segments.length - 1)
  const read = isCall ? undefined : readNoun(operation)
  const { answer, misdescribed } = answerOf(operation, schemas, { isItem, noun: read?.noun ?? own })
  const noun = read === undefined ? own : answer.isList && read.isOfRows ? read.noun : [...read.noun, ...own]
  return {
    operation,
    answer: isCall ? withoutRole(answer) : answer,
    misdescribed,
    keys,
    isItem,
    isCall,
    noun,
    variables: variablesOf(segments),
  }
}

/** The answer of a method is named after the method (`PutResponse`): that says nothing about a resource. */
function withoutRole(answer: Located): Located {
  const { name, ...view } = answer.view
  return name !== undefined && /(?:Response|Reply|Result)$/.test(name) ? { ...answer, view } : answer
}

function keysOf(segments: readonly Segment[]): readonly string[] {
  let key = ''
  return segments.map((segment) => {
    key += `${segment.glued ? '' : '/'}${segment.kind === 'literal' ? segment.text : `{${segment.pattern ?? ''}}${segment.suffix}`}`
    return key
  })
}

function variablesOf(segments: readonly Segment[]): readonly Variable[] {
  const taken = new Set<string>()
  return segments.flatMap((segment, index) => {
    if (segment.kind !== 'variable') return []
    const noun = nounAt(segments, index)
    const argument = firstFree(argumentOf(segment.name, noun), (name) => taken.has(name))
    taken.add(argument)
    return [{ name: segment.name, index, noun, argument }]
  })
}

const GENERIC = new Set([
  'id',
  'uuid',
  'guid',
  'name',
  'key',
  'slug',
  'number',
  'code',
  'type',
  'value',
  'version',
  'tag',
])

/** `id` alone would be the id of the row itself: the id of a user is `user_id`. */
function argumentOf(name: string, noun: readonly string[]): string {
  return GENERIC.has(name.toLowerCase()) && noun.length > 0 ? `${noun.join('_')}_${name}` : name
}

/** The noun before the name of a posted read, and whether rows of it are read: of `/piers/search`, not of `/piers/{id}/query`. */
function readNoun({
  method,
  segments,
}: Operation): { readonly noun: readonly string[]; readonly isOfRows: boolean } | undefined {
  const last = segments.at(-1)
  if (method !== 'POST' || last?.kind !== 'literal' || !isReadingWord(last.text.toLowerCase()))
    return undefined
  const before = segments.slice(0, -1)
  const literal = before.findLast(({ kind }) => kind === 'literal')
  const noun = literal?.kind === 'literal' ? nounOf(literal.text) : []
  return noun.length > 0 ? { noun, isOfRows: before.at(-1) === literal } : undefined
}

/** The noun of the last literal at or before a segment; of the variable itself if there is none. */
function nounAt(segments: readonly Segment[], at: number): readonly string[] {
  for (let index = at; index >= 0; index--) {
    const segment = segments[index]
    const text = segment?.kind === 'literal' ? segment.text : lastWord(segment?.pattern)
    const words = nounOf(text)
    if (words.length > 0) return words
  }
  const variable = segments[at]
  const name = variable?.kind === 'variable' ? variable.name : ''
  return singularWords(wordsOf(name).filter((word) => !GENERIC.has(word)))
}

/** The last word of the form of a variable. */
function lastWord(pattern = ''): string {
  return pattern.split('/').findLast((part) => part !== '*') ?? ''
}

/** A literal as a noun: without extension, version and numbers. */
export function nounOf(literal: string): readonly string[] {
  const words = wordsOf(literal.replace(/\.(?:json|xml|php|aspx?|do)$/i, '')).filter(
    (word) => !/^(?:v?\d+(?:beta\d*|alpha\d*)?|api|rest)$/.test(word),
  )
  return singularWords(words)
}

const LISTING = new Set(['list', 'search', 'all', 'query', 'find', 'index', 'several', 'multiple', 'many'])

function answerOf(
  { answer, operationId = '', segments }: Operation,
  schemas: Schemas,
  { isItem, noun }: { readonly isItem: boolean; readonly noun: readonly string[] },
): Pick<Placed, 'answer' | 'misdescribed'> {
  if (answer.kind === 'none' || answer.kind === 'unknown') return { answer: NOTHING, misdescribed: [] }
  const last = segments.at(-1)
  const word = last?.kind === 'literal' ? wordsOf(last.text).at(-1) : undefined
  const isPlural = word !== undefined && singular(word) !== word
  const isListing = [...wordsOf(operationId), word ?? ''].some((one) => LISTING.has(one))
  const expected = { list: !isItem && (isPlural || isListing), noun }
  const example = answer.example ?? schemas.view(answer.schema).example
  if (example === undefined) return { answer: locate(schemas, answer.schema, expected), misdescribed: [] }
  // At the path of one row an object is likely, and a get takes a list of one row as well.
  const { schema = {} } = answer
  const fitted = fittedTo(example, schema, schemas, isItem)
  const declared = locate(schemas, fitted.schema, expected)
  if (declared.form !== 'anything') return { answer: declared, misdescribed: fitted.places }
  const shown = locate(schemas, schemaOfExample(example), expected)
  return { answer: shown.form === 'anything' ? declared : shown, misdescribed: fitted.places }
}
