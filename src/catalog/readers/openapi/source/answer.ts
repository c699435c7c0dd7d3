import type { Json } from '../../../../base/canonical.ts'
import { child, isRecord } from '../../../../base/json.ts'
import { listAt } from '../schema/keywords.ts'
import type { DocumentAnswer } from './operation.ts'
import type { References } from './refs.ts'

/** What a success answers: of several statuses the one that has a body. */
export function answerOf(document: Json, said: Json, refs: References): DocumentAnswer {
  const responses = child(said, 'responses')
  const all = isRecord(responses) ? Object.entries(responses) : []
  const good = all.filter(([status]) => status.startsWith('2')).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const usable = good.length > 0 ? good : all.filter(([status]) => status === 'default')
  const answers = usable.map(([status, response]) => oneAnswer(document, said, refs, { status, response }))
  return (
    answers.find(({ kind }) => kind === 'json') ??
    answers.find(({ kind }) => kind === 'text' || kind === 'bytes') ??
    answers.find(({ kind }) => kind === 'unknown') ??
    answers[0] ?? { kind: 'unknown', headers: [] }
  )
}

function oneAnswer(
  document: Json,
  said: Json,
  refs: References,
  { status, response: written }: { readonly status: string; readonly response: Json },
): DocumentAnswer {
  const response = refs.record(written)
  const names = child(response, 'headers')
  const headers = isRecord(names) ? Object.keys(names).map((name) => name.toLowerCase()) : []
  const contents = contentsOf(document, said, response)
  const found =
    contents.find(([type]) => isJson(type)) ??
    contents.find(([type]) => isLines(type)) ??
    contents.find(([type]) => type === '*/*' || type === '') ??
    contents.find(([type]) => isText(type)) ??
    contents[0]
  const isCreated = status === '201' && { isCreated: true as const }
  if (!found)
    return { kind: status === '200' || status === 'default' ? 'unknown' : 'none', ...isCreated, headers }
  const [contentType, media] = found
  const schema = child(media, 'schema')
  if (isLines(contentType))
    return { kind: 'json', isLines: true, contentType, schema: listOf(schema, refs), ...isCreated, headers }
  const example = exampleOf(media, refs) ?? exampleOfTwo(response, contentType)
  const kind =
    isJson(contentType) || contentType === '*/*' || contentType === ''
      ? 'json'
      : isText(contentType)
        ? 'text'
        : 'bytes'
  return {
    kind,
    contentType,
    ...(schema !== undefined && { schema }),
    ...(example !== undefined && { example }),
    ...isCreated,
    headers,
  }
}

/** The content of a response: in 2.0 a schema, and the types that the operation produces. */
function contentsOf(document: Json, said: Json, response: Json): readonly (readonly [string, Json])[] {
  const content = child(response, 'content')
  if (isRecord(content)) return Object.entries(content)
  const schema = child(response, 'schema')
  if (schema === undefined) return []
  const own = listAt(said, 'produces')
  const produces = (own.length > 0 ? own : listAt(document, 'produces')).filter(
    (one) => typeof one === 'string',
  )
  const isFile = child(schema, 'type') === 'file'
  const types = produces.length > 0 ? produces : [isFile ? 'application/octet-stream' : 'application/json']
  return types.map((type) => [type, isFile ? {} : { schema }])
}

function exampleOf(media: Json, refs: References): Json | undefined {
  const examples = child(media, 'examples')
  const [first] = isRecord(examples) ? Object.values(examples) : []
  return child(media, 'example') ?? child(refs.record(first), 'value')
}

function exampleOfTwo(response: Json, contentType: string): Json | undefined {
  return child(child(response, 'examples'), contentType)
}

/** Documents describe one line or the list of all. */
function listOf(schema: Json | undefined, refs: References): Json {
  const isList = child(refs.record(schema), 'type') === 'array'
  return isList && schema !== undefined ? schema : { type: 'array', items: schema ?? {} }
}

/** A JSON value in each line. */
function isLines(type: string): boolean {
  return /^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-seq|json-stream|stream\+json)\b/i.test(
    type,
  )
}

export function isJson(type: string): boolean {
  return !isLines(type) && /^(?:application|text)\/(?:[\w.+-]*\+)?json\b/i.test(type)
}

function isText(type: string): boolean {
  return /^text\//i.test(type) || /\b(?:xml|yaml|csv|javascript|x-ndjson|jsonl|graphql)\b/i.test(type)
}
