/** A GraphQL operation whose selection of fields is made for each call, from what is asked for. */
export interface GraphQlOperation {
  readonly type: 'query' | 'mutation'
  /** The field of the schema's root type that the operation calls: the key of its value in `data`. */
  readonly root: string
  /** The document before the selection of the rows' fields, and after it. */
  readonly head: string
  readonly tail: string
  /** The rows are objects, whose fields are selected. */
  readonly selects: boolean
  /** Paths in an answer to what the API refused: a text or a list that is not empty. */
  readonly refusals: readonly (readonly string[])[]
}
