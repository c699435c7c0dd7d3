import { isMeta } from '../schema/located.ts'
import type { Schemas } from '../schema/schemas.ts'
import { ANYTHING } from '../schema/view.ts'
import type { DocumentParameter, Operation } from '../source/operation.ts'
import { wordsOf } from '../../../../base/words/names.ts'
import { singularWords } from '../words.ts'
import type { Book } from './book.ts'
import type { Use } from './draft.ts'
import { pageObjectOf } from './page-object.ts'
import type { Placed } from './places.ts'

/**
 * A search whose answer holds pages of several entities (`{artists: {items}, albums: {items}}`) is a search of each of them.
 * Empty for all other operations, and where one of the lists is of no entity.
 *
 * @param search the parameter that takes the words of the search
 */
export function searchesOf(one: Placed, search: string, book: Book): readonly Use[] {
  const { answer } = one
  const members = [...book.schemas.properties(answer.view)].filter(([name]) => !isMeta(name))
  if (answer.isList || members.length < 2) return []
  const uses = members.flatMap(([name, schema]): readonly Use[] => {
    const view = book.schemas.view(schema)
    const page = pageObjectOf(view, book.schemas)
    const entity = page && book.ofComponent(page.item)
    if (!page || !entity) return []
    const choice = choiceOf(one.operation, name, book.schemas)
    book.show(entity, page.item)
    return [
      {
        placed: {
          ...one,
          operation: choice ? chosen(one.operation, choice) : one.operation,
          answer: {
            isList: true,
            path: [...answer.path, name, page.name],
            view: page.item,
            form: 'object',
            // What stands beside this list are other lists: they say nothing of its pages.
            around: [...answer.around, ANYTHING, view],
          },
        },
        entity,
        kind: 'search',
        effect: 'read',
        isOnRow: false,
        showsRows: true,
        why: [
          `It answers lists of several entities: one at \`${name}.${page.name}\`.`,
          `\`${search}\` takes the words of a search.`,
          ...(choice ? [`\`${choice.parameter.name}\` is \`${choice.option}\` for them.`] : []),
        ],
      },
    ]
  })
  return uses.length === members.length ? uses : []
}

interface Choice {
  readonly parameter: DocumentParameter
  readonly option: string
}

/** The parameter that chooses among the lists of an answer, and its value for one of them: `type=artist` for `artists`. */
function choiceOf({ parameters }: Operation, member: string, schemas: Schemas): Choice | undefined {
  const wanted = nounIn(member)
  return parameters.flatMap((parameter) => {
    const view = schemas.view(parameter.schema)
    const options = view.options ?? schemas.view(view.items).options ?? []
    const option = options.find((one) => typeof one === 'string' && nounIn(one) === wanted)
    return parameter.in === 'query' && typeof option === 'string' ? [{ parameter, option }] : []
  })[0]
}

function nounIn(name: string): string {
  return singularWords(wordsOf(name)).join(' ')
}

/** The operation with the parameter as a constant. */
function chosen(operation: Operation, { parameter, option }: Choice): Operation {
  const constant = { ...parameter, isRequired: true, schema: { type: 'string', enum: [option] } }
  const parameters = operation.parameters.map((one) => (one === parameter ? constant : one))
  return { ...operation, parameters }
}
