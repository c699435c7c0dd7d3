import type { Json } from '../../../../base/canonical.ts'
import type { Schemas } from '../schema/schemas.ts'
import { isArray } from '../schema/view.ts'
import type { Book } from './book.ts'

/** A column of rows: where a row holds it, and what is known of its values. */
export interface Column {
  /** Object keys from a row to its values. */
  readonly path: readonly string[]
  readonly schema: Json | undefined
  /** Its values name rows: the schema of an object that names one (`{type, id}`), and whether they name several. */
  readonly names?: { readonly row: Json; readonly many: boolean }
}

/** The members of a resource object (JSON:API). */
const RESOURCE = new Set(['type', 'id', 'attributes', 'relationships', 'links', 'meta'])

/**
 * The columns of rows with these members: the members themselves; of resource objects of JSON:API their attributes and the ids
 * in their relationships; of the hits of a search engine the members of the document that was found.
 */
export function columnsOf(members: ReadonlyMap<string, Json>, schemas: Schemas): ReadonlyMap<string, Column> {
  const inside = (member: string) => [...schemas.properties(schemas.view(members.get(member)))]
  const columnsIn = (member: string) =>
    inside(member).map(([name, schema]): [string, Column] => [name, { path: [member, name], schema }])
  const own = (isOwn: (name: string) => boolean) =>
    [...members].flatMap(([name, schema]): [string, Column][] =>
      isOwn(name) ? [[name, { path: [name], schema }]] : [],
    )
  if (isHit(members, schemas)) return new Map([...own((name) => name !== '_source'), ...columnsIn('_source')])
  if (!isResource(members, schemas)) return new Map(own(() => true))
  return new Map<string, Column>([
    ...columnsIn('attributes'),
    ...inside('relationships').flatMap(([name, schema]) => namedIn(name, schema, schemas)),
    ...own((name) => !/^(?:attributes|relationships|links)$/.test(name)),
  ])
}

/** Whether objects with these members are hits of a search engine (Elasticsearch, OpenSearch). */
function isHit(members: ReadonlyMap<string, Json>, schemas: Schemas): boolean {
  return members.has('_id') && schemas.properties(schemas.view(members.get('_source'))).size > 0
}

/** Whether objects with these members are resource objects of JSON:API. */
function isResource(members: ReadonlyMap<string, Json>, schemas: Schemas): boolean {
  const attributes = schemas.view(members.get('attributes'))
  return (
    members.has('id') &&
    !isArray(attributes) &&
    schemas.properties(attributes).size > 0 &&
    [...members.keys()].every((name) => RESOURCE.has(name))
  )
}

/** What a relationship names, if its data is declared. */
function namedIn(name: string, schema: Json, schemas: Schemas): readonly (readonly [string, Column])[] {
  const data = schemas.properties(schemas.view(schema)).get('data')
  if (data === undefined) return []
  const view = schemas.view(data)
  const path = ['relationships', name, 'data']
  const { items } = view
  if (isArray(view))
    return items === undefined ? [] : [[name, { path, schema: data, names: { row: items, many: true } }]]
  const id = schemas.properties(view).get('id')
  return [[name, { path: [...path, 'id'], schema: id, names: { row: data, many: false } }]]
}

/** Notes which entities have resource objects as rows. */
export function noteResources({ drafts, schemas }: Book): void {
  for (const { views, why } of drafts)
    if (views.some((view) => isResource(schemas.properties(view), schemas)))
      why.push(
        'Its rows are resource objects of JSON:API: their attributes are columns, their relationships references.',
      )
}
