import { child } from '../../../../base/json.ts'
import { wordsOf } from '../../../../base/words/names.ts'
import { listAt } from '../schema/keywords.ts'
import type { Operation } from '../source/operation.ts'

const READING = new Set([
  'get', 'gets', 'list', 'lists', 'search', 'searches', 'find', 'finds', 'query', 'queries', 'fetch', 'fetches', 'retrieve',
  'retrieves', 'lookup', 'read', 'reads', 'count', 'counts', 'describe', 'describes', 'check', 'checks', 'show', 'shows',
  'filter', 'filters', 'paginate', 'paginates', 'average', 'averages',
]) // prettier-ignore
const READING_PATHS = new Set([
  'search', 'query', 'find', 'filter', 'list', 'lookup', 'count', 'paginate', '_search', '_count', '_msearch', 'msearch',
]) // prettier-ignore
/** Verbs with which the last word of a path may begin: `get_runs`. Others have a second meaning there, as `read` has. */
const READING_STARTS = new Set(['get', 'list', 'search', 'find', 'query', 'count', 'lookup'])
const WRITING = new Set([
  'create', 'creates', 'update', 'updates', 'delete', 'deletes', 'add', 'adds', 'remove', 'removes', 'set', 'sets', 'put', 'puts',
  'insert', 'upsert', 'replace', 'send', 'sends', 'start', 'starts', 'stop', 'stops', 'run', 'runs', 'execute', 'token', 'login',
  'session', 'generate', 'generates', 'save', 'saves', 'upload', 'initiate', 'grant', 'grants', 'revoke', 'mark', 'marks',
]) // prettier-ignore
/** These are nouns as well: `read_flow_runs`. */
const NOUNS = new Set([
  'runs', 'run', 'sets', 'set', 'puts', 'starts', 'start', 'stops', 'stop', 'grants', 'grant', 'marks', 'mark', 'upload',
]) // prettier-ignore
const JOINING = new Set(['and', 'or', 'then'])
const CREATING = new Set([
  'create',
  'creates',
  'add',
  'adds',
  'new',
  'register',
  'insert',
  'upload',
  'post',
  'start',
  'initiate',
  'send',
])

/** The constant of the query parameter `Action`: APIs of one path (`?Action=StopInstances`) name their methods so. */
function actionOf({ parameters }: Operation): string | undefined {
  const action = parameters.find(({ name, in: place }) => place === 'query' && /^action$/i.test(name))
  const options = [...listAt(action?.schema, 'enum'), child(action?.schema, 'const')].filter(
    (one) => one !== undefined,
  )
  const [only] = options
  return action?.isRequired && options.length === 1 && typeof only === 'string' ? only : undefined
}

/** A GET that changes data: its action is no verb of reading. */
export function isCommand(operation: Operation): boolean {
  const action = actionOf(operation)
  return action !== undefined && !READING.has(wordsOf(action)[0] ?? '')
}

/** Why a POST only reads, if its name says so: searches are often posted. One that answers 201 made something. */
export function readingPost(operation: Operation): string | undefined {
  const { operationId = '', summary, description, answer } = operation
  const action = actionOf(operation)
  if (action !== undefined)
    return isCommand(operation) ? undefined : `The verb of its action \`${action}\` says that it only reads.`
  const id = wordsOf(operationId)
  const prose = wordsOf((summary ?? description ?? '').slice(0, 120))
  if (answer.isCreated || isWriting(id) || isWriting(prose.slice(0, 4))) return undefined
  const tail = tailOf(operation)
  if (isReadingPath(tail)) return `A POST to \`${tail}\` only reads.`
  const verb = id.find((word) => READING.has(word))
  if (verb !== undefined && (id[0] === verb || id.at(-1) === verb))
    return `The verb \`${verb}\` of its id says that it only reads.`
  const said = prose.slice(0, 2).find((word) => READING.has(word))
  if (said !== undefined) return `Its summary begins with \`${said}\`: it only reads.`
  return tail === 'history' && id[0] !== 'post' && child(answer.schema, 'type') === 'array'
    ? 'A history is answered: it only reads.'
    : undefined
}

function tailOf({ segments }: Operation): string {
  const last = segments.at(-1)
  return last?.kind === 'literal' ? last.text.toLowerCase() : ''
}

/** Whether the last word of a path says that it only reads: `search`, `get_runs`. */
function isReadingPath(tail: string): boolean {
  return READING_PATHS.has(tail) || READING_STARTS.has(wordsOf(tail)[0] ?? '')
}

/** Whether words say that something is changed. A noun counts as a verb at the start and where it is joined to another verb. */
function isWriting(words: readonly string[]): boolean {
  return words.some(
    (word, index) =>
      WRITING.has(word) && (!NOUNS.has(word) || index === 0 || JOINING.has(words[index - 1] ?? '')),
  )
}

/** Is the word the name of a read: `filter`, `count`? A list may be a resource. */
export function isReadingWord(word: string | undefined): boolean {
  return word !== undefined && word !== 'list' && (READING_PATHS.has(word) || READING_STARTS.has(word))
}

/** Does the name of the operation say that it makes a row? */
export function isCreating({ operationId = '', summary = '' }: Operation): boolean {
  const [first] = wordsOf(operationId)
  const [said] = wordsOf(summary.slice(0, 60))
  return CREATING.has(first ?? '') || CREATING.has(said ?? '')
}

/** Names of the parameter that takes the words of a search. */
export const SEARCH_NAMES = new Set([
  'q',
  'query',
  'search',
  'term',
  'terms',
  'keyword',
  'keywords',
  'text',
  'searchterm',
  'search_term',
  'search_text',
  'searchtext',
  'phrase',
])
