import { child } from '../../../../base/json.ts'
import { listAt } from '../schema/keywords.ts'
import type { Operation } from '../source/operation.ts'
import { wordsOf } from '../words.ts'

const READING = new Set([
  'get', 'gets', 'list', 'lists', 'search', 'searches', 'find', 'finds', 'query', 'queries', 'fetch', 'fetches', 'retrieve',
  'retrieves', 'lookup', 'read', 'reads', 'count', 'counts', 'describe', 'describes', 'check', 'checks', 'show', 'shows',
]) // prettier-ignore
const READING_PATHS = new Set([
  'search',
  'query',
  'find',
  'filter',
  'list',
  'lookup',
  'count',
  '_search',
  '_count',
  '_msearch',
  'msearch',
])
const WRITING = new Set([
  'create', 'creates', 'update', 'updates', 'delete', 'deletes', 'add', 'adds', 'remove', 'removes', 'set', 'sets', 'put', 'puts',
  'insert', 'upsert', 'replace', 'send', 'sends', 'start', 'starts', 'stop', 'stops', 'run', 'runs', 'execute', 'token', 'login',
  'session', 'generate', 'generates', 'save', 'saves', 'upload', 'initiate', 'grant', 'grants', 'revoke', 'mark', 'marks',
]) // prettier-ignore
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

/** Why a POST only reads, if its name says so: searches are often posted. */
export function readingPost(operation: Operation): string | undefined {
  const { operationId = '', summary, description, segments } = operation
  const action = actionOf(operation)
  if (action !== undefined)
    return isCommand(operation) ? undefined : `The verb of its action \`${action}\` says that it only reads.`
  const last = segments.at(-1)
  const tail = last?.kind === 'literal' ? last.text.toLowerCase() : ''
  const id = wordsOf(operationId)
  const prose = wordsOf((summary ?? description ?? '').slice(0, 120))
  if ([...id, ...prose.slice(0, 4)].some((word) => WRITING.has(word))) return undefined
  if (READING_PATHS.has(tail)) return `A POST to \`${tail}\` only reads.`
  const verb = id.find((word) => READING.has(word))
  if (verb !== undefined && (id[0] === verb || id.at(-1) === verb))
    return `The verb \`${verb}\` of its id says that it only reads.`
  const said = prose.slice(0, 2).find((word) => READING.has(word))
  return said === undefined ? undefined : `Its summary begins with \`${said}\`: it only reads.`
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
