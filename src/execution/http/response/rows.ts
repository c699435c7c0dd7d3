import type { ExactJson, Json } from '../../../base/canonical.ts'
import type { AnswerShape, Reshape } from '../../../catalog/calls/http-request.ts'
import { child, isList, isRecord, recordOf, scalarText, walk } from '../../../base/json.ts'

/** The rows of an answer as JSON, or a description of the value that was in their place. */
export type Located =
  | { readonly ok: true; readonly rows: readonly Json[] }
  | { readonly ok: false; readonly path: string; readonly found: string }

/** The usual keys of a list, if the template names none. */
const DEFAULT_PATH = ['results']

/** An object with one of these is a row. */
const ROW_IDS = ['id', '_id', 'uuid', 'guid']

/**
 * The rows of an answer. A missing key is an answer of the wrong shape, not an empty list; a list that is null is empty.
 * An answer that is a list itself holds the rows, whatever the path says of an object around it.
 *
 * @param given the call's arguments, for answers that hold more than was asked for
 */
export function locateRows(
  body: Json,
  response: AnswerShape,
  expects: 'many' | 'one',
  given: ReadonlyMap<string, ExactJson> = new Map(),
): Located {
  if (body === null) return { ok: true, rows: [] }
  if (response.reshape) return reshaped(body, response.reshape, given)
  if (response.scalar && !isRecord(body) && !isList(body)) return { ok: true, rows: [body] }
  const single = response.single || expects === 'one'
  const path = response.path ?? (single || isList(body) ? [] : DEFAULT_PATH)
  // HAL leaves out what is empty.
  if (path[0] === '_embedded' && isRecord(body) && !Object.hasOwn(body, '_embedded'))
    return { ok: true, rows: [] }
  const found = isList(body) && typeof path[0] === 'string' ? ok(body) : follow(body, path)
  if (!found.ok) return found
  const { value } = found
  if (value === null) return { ok: true, rows: [] }
  if (isList(value)) return { ok: true, rows: value.map((element) => inner(element, response.innerKey)) }
  if (single && (isRecord(value) || response.scalar))
    return { ok: true, rows: [inner(value, response.innerKey)] }
  return { ok: false, path: path.join('.'), found: kindOf(value) }
}

/** Members of an answer, by name, that each of its rows holds as well. */
export type Members = readonly (readonly [string, Json])[]

/** What stands beside the list of an answer. */
export function besideIn(body: Json, { beside = [] }: AnswerShape): Members {
  return beside.flatMap((path) => {
    const name = path.at(-1)
    const value = walk(body, path)
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
}

/** A row with these members; what it has itself under such a name stays. */
export function withMembers(row: Json, members: Members): Json {
  return members.length > 0 && isRecord(row) ? recordOf([...members, ...Object.entries(row)]) : row
}

/** Derives rows from the elements of a list. */
function reshaped(body: Json, reshape: Reshape, given: ReadonlyMap<string, ExactJson>): Located {
  const found = isList(body) && typeof reshape.path[0] === 'string' ? ok(body) : follow(body, reshape.path)
  if (!found.ok) return found
  if (found.value === null) return { ok: true, rows: [] }
  if (reshape.kind === 'wrap') return { ok: true, rows: wrapped(found.value, reshape) }
  if (!isList(found.value)) return { ok: false, path: reshape.path.join('.'), found: kindOf(found.value) }
  const elements = found.value
  switch (reshape.kind) {
    case 'concat':
      return { ok: true, rows: elements.flatMap((one) => listIn(one, reshape.inner)) }
    case 'pluck': {
      const wanted = scalarText(given.get(reshape.variable))
      const one = elements.find(
        (each) => wanted !== undefined && scalarText(child(each, reshape.field)) === wanted,
      )
      return { ok: true, rows: listIn(one, reshape.inner) }
    }
  }
}

function wrapped(value: Json, reshape: Reshape & { readonly kind: 'wrap' }): readonly Json[] {
  const elements = isList(value)
    ? value
    : (onlyList(value, reshape.list) ?? [onlyObject(value, reshape.key) ?? value])
  return elements.map((one) => (isRecord(one) && !reshape.all ? one : held(one, reshape)))
}

/** A value under the field that holds it, beside its own key. */
function held(value: Json, { field, key = [] }: Reshape & { readonly kind: 'wrap' }): Json {
  const ids = key.flatMap((name) => {
    const id = child(value, name)
    return id === undefined || scalarText(id) === undefined ? [] : [[name, id] as const]
  })
  return recordOf<Json>([...ids, [field, value]])
}

/** The only list of an object that is no row itself. Without rows, its name or that nothing but numbers stands beside it tell. */
function onlyList(value: Json, likely: string | undefined): readonly Json[] | undefined {
  if (likely === undefined || !isRecord(value) || ROW_IDS.some((name) => Object.hasOwn(value, name)))
    return undefined
  const members: readonly (readonly [string, Json])[] = Object.entries(value)
  const lists = members.flatMap(([name, one]) => (isList(one) ? [{ name, one }] : []))
  const [list, other] = lists
  if (!list || other || !list.one.every((one) => isRecord(one))) return undefined
  const isBare = members.every(([, one]) => isList(one) || typeof one === 'number' || one === null)
  return list.one.length > 0 || isBare || list.name === likely ? list.one : undefined
}

/** The object that is all that an answer holds and that has a key, where the answer itself has none. */
function onlyObject(value: Json, key: readonly string[] = []): Json | undefined {
  if (key.length === 0 || !isRecord(value)) return undefined
  const [[name, one] = [], another] = Object.entries(value)
  const ids = [...key, ...ROW_IDS]
  if (another || name === undefined || ids.includes(name) || !isRecord(one)) return undefined
  return ids.some((id) => Object.hasOwn(one, id)) ? one : undefined
}

function listIn(element: Json | undefined, key: string): readonly Json[] {
  const inside = child(element, key)
  return isList(inside) ? inside : []
}

function ok(value: Json) {
  return { ok: true, value } as const
}

function follow(body: Json, path: readonly (string | number)[]) {
  let value = body
  for (const [depth, key] of path.entries()) {
    const next = child(value, key)
    if (next === undefined)
      return { ok: false, path: path.slice(0, depth + 1).join('.'), found: kindOf(value) } as const
    value = next
  }
  return ok(value)
}

function inner(element: Json, key: string | undefined): Json {
  return key === undefined ? element : (child(element, key) ?? element)
}

/** A value in messages; an object with its keys. */
function kindOf(value: Json): string {
  if (value === null) return 'null'
  if (isList(value)) return `a list of ${value.length}`
  if (!isRecord(value)) return `a ${typeof value}`
  const keys = Object.keys(value)
  const shown = keys.slice(0, 8).map((key) => `\`${key.slice(0, 40)}\``)
  return keys.length === 0
    ? 'an empty object'
    : `an object with ${shown.join(', ')}${keys.length > 8 ? ', ...' : ''}`
}
