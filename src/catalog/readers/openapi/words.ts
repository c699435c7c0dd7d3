import { wordsOf } from '../../../base/words/names.ts'
import { singular } from '../../../base/words/singular.ts'

/** The singular of the last word: `user_groups` → `user`, `group`. */
export function singularWords(words: readonly string[]): readonly string[] {
  const last = words.at(-1)
  return last === undefined ? words : [...words.slice(0, -1), singular(last)]
}

/** Words that name the role of a schema, not its subject. */
const ROLE_WORDS = new Set([
  'object', 'dto', 'model', 'schema', 'response', 'resp', 'reply', 'detail', 'details', 'summary', 'simplified', 'simple',
  'full', 'partial', 'minimal', 'basic', 'brief', 'short', 'paginated', 'paged', 'paging', 'page', 'entity', 'resource', 'output',
  'out', 'read', 'get', 'serializer', 'embedded', 'nested', 'extended', 'v1', 'v2', 'v3', 'v4', 'api', 'data', 'payload', 'base',
  'retrieve', 'retrieved', 'body', 'success', 'successful',
]) // prettier-ignore

/** The package that generators of gRPC gateways write before a name: `mvccpbKeyValue`. */
const PACKAGE = /^[a-z]\w*(?:pb|rpc|proto)\d*$/

/** The subject of a schema's name: `SimplifiedAlbumObject` and `AlbumWithTracks` → `album`. Empty if it has none. */
export function subjectOf(schema: string): readonly string[] {
  const plain = schema.replace(/^.*[./](?=[^./]+$)/, '')
  const [first = '', ...others] = wordsOf(plain)
  const all = others.length > 0 && PACKAGE.test(first) ? others : [first, ...others]
  const cut = all.findIndex((word, index) => index > 0 && (word === 'with' || word === 'without'))
  const words = cut < 0 ? all : all.slice(0, cut)
  const isRole = (word: string | undefined) => ROLE_WORDS.has(word ?? '')
  let from = 0
  let to = words.length
  while (to > from && isRole(words[to - 1])) to--
  while (from < to && isRole(words[from])) from++
  return words.slice(from, to)
}
