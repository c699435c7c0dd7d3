/** The words of an identifier, lowercase: `getUserByID`, `get-user_by id` → `get`, `user`, `by`, `id`. */
export function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, LONGEST)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

const LONGEST = 200

/** `user group` → `UserGroup`. */
export function pascal(words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** `UserGroup` → `user_group`. */
export function snake(name: string): string {
  return wordsOf(name).join('_')
}

/** Words whose last `s` is no plural, and irregular plurals. */
const SINGULARS: ReadonlyMap<string, string> = new Map([
  ['status', 'status'],
  ['address', 'address'],
  ['addresses', 'address'],
  ['analysis', 'analysis'],
  ['analyses', 'analysis'],
  ['news', 'news'],
  ['series', 'series'],
  ['species', 'species'],
  ['dns', 'dns'],
  ['sms', 'sms'],
  ['people', 'person'],
  ['children', 'child'],
  ['men', 'man'],
  ['women', 'woman'],
  ['indices', 'index'],
  ['indexes', 'index'],
  ['matrices', 'matrix'],
  ['vertices', 'vertex'],
  ['criteria', 'criterion'],
  ['movies', 'movie'],
  ['cookies', 'cookie'],
  ['databases', 'database'],
  ['releases', 'release'],
  ['licenses', 'license'],
  ['purchases', 'purchase'],
  ['responses', 'response'],
  ['expenses', 'expense'],
  ['leases', 'lease'],
  ['phases', 'phase'],
  ['cases', 'case'],
  ['bases', 'base'],
  ['houses', 'house'],
  ['warehouses', 'warehouse'],
  ['courses', 'course'],
  ['caches', 'cache'],
  ['sizes', 'size'],
  ['prizes', 'prize'],
  ['gas', 'gas'],
  ['lens', 'lens'],
  ['always', 'always'],
  ['previous', 'previous'],
])

/** The singular of an English noun: `stories` → `story`. */
export function singular(word: string): string {
  const known = SINGULARS.get(word)
  if (known !== undefined) return known
  if (/(?:ss|us|is|os)$/.test(word) || word.length < 4) return word
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (/(?:sses|shes|ches|xes|zzes)$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

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
