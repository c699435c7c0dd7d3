import type { Json } from '../../../../base/canonical.ts'
import type { Draft, Use } from '../entities/draft.ts'
import { isMeta } from '../schema/located.ts'
import type { Schemas } from '../schema/schemas.ts'
import { isArray, isScalar, type View } from '../schema/view.ts'
import { isPageMember } from './page-names.ts'

/** A member of an answer that stands beside its list, and says something of the answer as a whole. */
export interface Beside {
  readonly name: string
  readonly schema: Json
  /** Object keys to it, its name last. */
  readonly path: readonly string[]
}

/** The members beside the rows of a list that rows hold as columns: unless a row can be got alone, where they would be missing. */
export function besideOf(use: Use, schemas: Schemas): readonly Beside[] {
  return use.entity.anchor ? [] : membersBeside(use, schemas)
}

/** The members beside the rows of a list that no column shows. */
export function leftBeside(use: Use, schemas: Schemas): readonly Beside[] {
  return use.entity.anchor ? membersBeside(use, schemas) : []
}

/**
 * The members beside the rows of a list: `answer` of `{answer, results: [...]}`. What describes the answer (its pages, its time,
 * its request) is left out.
 */
function membersBeside({ placed, kind, showsRows }: Use, schemas: Schemas): readonly Beside[] {
  const { answer } = placed
  const isMany = kind === 'query' || kind === 'search'
  if (!isMany || !showsRows || !answer.isList) return []
  const own = schemas.properties(answer.view)
  const all = answer.around.flatMap((view, depth) =>
    [...schemas.properties(view)].map(([name, schema]) => ({
      name,
      schema,
      path: [...answer.path.slice(0, depth), name],
      isOnWay: name === answer.path[depth],
    })),
  )
  return all
    .filter(({ name, schema, isOnWay }) => {
      const isDescription = isMeta(name) || isPageMember(name)
      return !isOnWay && !own.has(name) && !isDescription && isColumn(name, schemas.view(schema), schemas)
    })
    .map(({ name, schema, path }) => ({ name, schema, path }))
}

/** Notes the members beside its lists as columns of an entity. */
export function noteBeside(uses: readonly Use[], schemas: Schemas): void {
  for (const use of uses) for (const one of besideOf(use, schemas)) holdBeside(use.entity, one)
}

function holdBeside(entity: Draft, { name, schema }: Beside): void {
  entity.beside ??= new Map()
  if (!entity.beside.has(name)) entity.beside.set(name, schema)
}

/** A value that the document describes, under a name that programs can write. */
function isColumn(name: string, view: View, schemas: Schemas): boolean {
  const isDescribed = isScalar(view) || isArray(view) || schemas.properties(view).size > 0
  return isDescribed && /^[A-Za-z]\w*$/.test(name)
}
