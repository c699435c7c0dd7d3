import type { Json } from '../../../../base/canonical.ts'
import { wordsOf } from '../../../../base/words/names.ts'
import type { Schemas } from '../schema/schemas.ts'
import { isScalar, type View } from '../schema/view.ts'
import type { DocumentParameter } from '../source/operation.ts'
import type { Variable } from './places.ts'

const USUAL = ['id', 'uuid', '_id', 'guid', 'key', 'slug', 'name', 'code', 'number', 'symbol', 'email', 'sha']

/**
 * The field of a row that a variable of its path repeats: the field of the same name, the name without the noun
 * (`droplet_id` is `id`), or one of the usual names of an id. A variable that the document describes as a name, or declares as
 * text where that id is none, is the name of the row; so is an `id` that takes "a string or an integer" where the id is a number.
 *
 * @param declared the parameter of the path
 */
export function identityField(
  schemas: Schemas,
  variable: Variable,
  properties: ReadonlyMap<string, Json>,
  declared: DocumentParameter | undefined,
): string | undefined {
  const found = likelyField(schemas, variable, properties)
  const name = [...properties].find(([one, schema]) => one === 'name' && isPlainText(schemas.view(schema)))
  if (!name || found === undefined || !/^_?(?:id|uuid|guid)$/.test(found)) return found
  const said = wordsOf((declared?.description ?? '').slice(0, 200))
  const { types, format } = schemas.view(properties.get(found))
  const isOther = isPlainText(schemas.view(declared?.schema)) && (format === 'uuid' || isNumber(types))
  if (/^(?:id|uuid|guid)$/.test(wordsOf(variable.name).at(-1) ?? ''))
    return isOther && saysEither(said) ? 'name' : found
  const isName = said.includes('name') && !said.some((word) => /^(?:ids?|uuids?|identifiers?)$/.test(word))
  return isName || isOther ? 'name' : found
}

/** "A string or an integer", "the id or name": the path takes the name as well as the id. */
function saysEither(said: readonly string[]): boolean {
  return said.includes('or') && said.some((word) => /^(?:strings?|names?|slugs?)$/.test(word))
}

/** Text of no format; false if the document does not say. */
function isPlainText({ types, format }: View): boolean {
  return types.length === 1 && types[0] === 'string' && format === undefined
}

function isNumber(types: readonly string[]): boolean {
  return types.length > 0 && types.every((type) => type === 'integer' || type === 'number')
}

function likelyField(
  schemas: Schemas,
  variable: Variable,
  properties: ReadonlyMap<string, Json>,
): string | undefined {
  const names = [...properties].filter(([, schema]) => isKey(schemas, schema)).map(([name]) => name)
  const wanted = wordsOf(variable.name)
  const noun = variable.noun
  const rest = wanted.slice(sharedStart(wanted, noun))
  const spelled = (words: readonly string[]) =>
    words.length === 0 ? undefined : names.find((name) => wordsOf(name).join(' ') === words.join(' '))
  const [last] = wanted.slice(-1)
  const byRest = rest.length < wanted.length ? spelled(rest) : undefined
  const isId = last === 'id' || last === 'uuid' || last === noun.at(-1)
  return (
    names.find((name) => name === variable.name) ??
    spelled(wanted) ??
    byRest ??
    spelled([...noun, 'id']) ??
    (last === undefined || isId
      ? USUAL.find((name) => names.includes(name))
      : names.find((name) => name === last))
  )
}

function sharedStart(wanted: readonly string[], noun: readonly string[]): number {
  if (noun.length > 0 && noun.every((word, index) => wanted[index] === word)) return noun.length
  // `/repos/{repo_name}`: the variable's own noun, in whatever length the path writes it.
  return wanted.length > 1 && noun.at(-1)?.startsWith(wanted[0] ?? '?') ? 1 : 0
}

function isKey(schemas: Schemas, schema: Json): boolean {
  const view = schemas.view(schema)
  if (view.types.includes('boolean')) return false
  return isScalar(view) || view.types.length === 0
}
