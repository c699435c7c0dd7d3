import { describeType, memberName } from '../../../describe.ts'
import type { Type } from '../../../model.ts'
import { JSON_VALUE } from './scalars.ts'
import type { Schemas } from './schemas.ts'
import { isArray, type View } from './view.ts'

/** How much a table says of JSON, in characters. */
const MAX_WRITTEN = 100

/** JSON, with the names of its members where the document knows them. */
export function jsonOf(schemas: Schemas, view: View): Type {
  const isList = isArray(view)
  const members = membersOf(schemas, isList ? schemas.view(view.items) : view)
  if (members === '') return isList || isObjectOnly(view) ? JSON_VALUE : { kind: 'json', text: true }
  return { kind: 'json', written: `json ${isList ? `[${members}]` : members}` }
}

/** JSON of one of these types. */
export function mixed(types: readonly Type[]): Type {
  const written = [...new Set(types.map(describeType))].join('|')
  const text = types.some((type) => isWrittenAsText(type)) && { text: true as const }
  const of = types.every(isOneScalar) && { of: types }
  return { kind: 'json', ...(written.length <= MAX_WRITTEN && { written }), ...text, ...of }
}

function isOneScalar({ kind }: Type): boolean {
  return /^(?:string|select|uuid|date|integer|number|boolean)$/.test(kind)
}

function isWrittenAsText(type: Type): boolean {
  return /^(?:string|select|uuid|date|blob)$/.test(type.kind) || (type.kind === 'json' && type.text === true)
}

function isObjectOnly({ types, properties, additional }: View): boolean {
  return properties.size > 0 || additional !== undefined || (types.length === 1 && types[0] === 'object')
}

/** `{name, size?, …}`; empty if the document names no members. */
function membersOf(schemas: Schemas, view: View): string {
  const needed = schemas.whole(view).required
  const names = [...schemas.properties(view).keys()].map((name) =>
    needed.has(name) ? memberName(name) : `${memberName(name)}?`,
  )
  let text = ''
  for (const name of names) {
    const longer = text === '' ? name : `${text}, ${name}`
    if (longer.length > MAX_WRITTEN) return text === '' ? '' : `{${text}, …}`
    text = longer
  }
  return text === '' ? '' : `{${text}}`
}
