import { type GraphQLArgument, isInputObjectType, getNullableType } from 'graphql'
import type { GraphQlOperation } from '../../calls/graphql-operation.ts'
import type { CapabilityCall } from '../../model.ts'
import type { AnswerShape, Expression, Paging, PathSegment } from '../../calls/http-request.ts'

/** A variable of an operation, with the expression that gives its value. */
export interface Variable {
  readonly name: string
  readonly type: string
  readonly value: Expression
}

/** The place in the schema at which a field is called: the root, or the answer of the get of a parent. */
export interface Position {
  readonly type: GraphQlOperation['type']
  /** The text before the field, and after it. */
  readonly open: string
  readonly close: string
  /** From `data` to the object that has the field. */
  readonly path: readonly string[]
  readonly variables: readonly Variable[]
}

/** The request of an operation. */
export interface OperationCall {
  readonly position: Position
  readonly field: string
  /** Arguments of the field that are sent, as the variables of the same names. */
  readonly variables: readonly Variable[]
  /**
   * The text before the selection of the rows' fields, below the field, and after it; a text alone: the whole selection;
   * undefined: the field has none.
   */
  readonly selection?: { readonly open: string; readonly close: string } | string
  readonly answer: Omit<AnswerShape, 'path'> & { readonly path: readonly string[] }
  readonly paging?: Paging
  readonly refusals?: readonly (readonly string[])[]
  /** A boolean beside the answer's rows that says whether the operation was done. */
  readonly verdict?: string
}

/** Where the operations of a schema are sent. */
export interface Endpoint {
  readonly origin: string
  readonly path: readonly PathSegment[]
  readonly query?: Expression
}

/** The call of an operation: a POST of its document and its variables. */
export function callOf(operation: OperationCall, endpoint: Endpoint): CapabilityCall {
  const { position, field, selection, answer, paging, refusals = [], verdict } = operation
  // A paging argument has no value of its own: the page's is put among the variables.
  const paged = new Set(paging?.parameters.map(({ name }) => name))
  const variables = [...position.variables, ...operation.variables]
  const given = operation.variables.map(({ name }) => `${name}:$${name}`).join(',')
  const declared = variables.map(({ name, type }) => `$${name}:${type}`).join(',')
  const isWhole = typeof selection === 'string'
  const { open, close } = isWhole ? { open: selection, close: '' } : (selection ?? { open: '', close: '' })
  const head = `${position.type}${declared && `(${declared})`}{${position.open}${field}${given && `(${given})`}`
  const root = position.path[0] ?? field
  const place = ['data', ...position.path, field]
  return {
    kind: 'graphql',
    request: {
      method: 'POST',
      path: endpoint.path,
      ...(endpoint.query && { query: endpoint.query }),
      bodyFormat: 'json',
      body: {
        type: 'object',
        fields: [
          [
            'variables',
            {
              type: 'object',
              fields: variables
                .filter(({ name }) => !paged.has(name))
                .map(({ name, value }) => [name, value] as const),
            },
          ],
        ],
      },
      ...(paging && { paging }),
      response: {
        ...answer,
        path: [...place, ...answer.path],
        ...(verdict !== undefined && { verdict: { path: [...place, verdict], failures: [false] } }),
      },
    },
    operation: {
      type: position.type,
      root,
      head: `${head}${selection === undefined ? '' : `{${open}`}`,
      tail: `${selection === undefined ? '' : `${close}}`}${position.close}}`,
      selects: selection !== undefined && !isWhole,
      refusals: refusals.map((path) => [...place, ...path]),
    },
  }
}

/** The value of a variable: sent only where the caller gives it. */
export function optional(name: string): Expression {
  return {
    type: 'if',
    condition: { type: 'exists', var: name },
    // oxlint-disable-next-line unicorn/no-thenable -- a key of the catalog's own expressions
    then: { type: 'var', name },
    else: { type: 'const', value: null },
  }
}

/** The variable of an argument whose parameter has the same name. */
export function variableOf(
  { name, type }: GraphQLArgument,
  parameter: string,
  isRequired: boolean,
): Variable {
  return {
    name,
    type: String(type),
    value: isRequired ? { type: 'var', name: parameter } : optional(parameter),
  }
}

export function isInputObject({ type }: GraphQLArgument): boolean {
  return isInputObjectType(getNullableType(type))
}
