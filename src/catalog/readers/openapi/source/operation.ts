import type { Json } from '../../../../base/canonical.ts'
import type { Method, PairStyle } from '../../../calls/http-request.ts'

/** One operation of a document, in one shape for all versions of OpenAPI. */
export interface Operation {
  readonly method: Method
  /** As the document writes it. */
  readonly path: string
  readonly segments: readonly Segment[]
  /** Without the path and the method, where it repeats them. */
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly isDeprecated: boolean
  readonly parameters: readonly DocumentParameter[]
  readonly body?: DocumentBody
  readonly answer: DocumentAnswer
  /** Each alternative names schemes that apply together; absent: those of the whole document. */
  readonly security?: readonly (readonly string[])[]
  /** Its own server, if it has one. */
  readonly server?: Json
  /** The document names it and describes it elsewhere: only its method and path are known. */
  readonly isOpaque: boolean
}

/** A part of a path between slashes, or between the variables of one such part. */
export type Segment =
  | { readonly kind: 'literal'; readonly text: string; readonly glued: boolean }
  | {
      readonly kind: 'variable'
      readonly name: string
      readonly suffix: string
      readonly glued: boolean
      /** Its value is several segments of a path: their form where the document names one (`projects` and an id), else empty. */
      readonly pattern?: string
    }

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

export interface DocumentParameter {
  readonly name: string
  readonly in: ParameterPlace
  readonly isRequired: boolean
  readonly schema: Json | undefined
  readonly description?: string
  readonly example?: Json
  readonly isDeprecated: boolean
  /** How a list is written: one pair for each element, or joined by this. */
  readonly separator?: string
  /** How an object is written; absent in headers and where a list alone can be meant. */
  readonly pairs?: PairStyle
  /** An object or a list is written as JSON. */
  readonly isJson: boolean
}

export interface DocumentBody {
  readonly contentType: string
  readonly schema: Json | undefined
  readonly isRequired: boolean
  readonly example?: Json
  /** Members of a form that are written as `name[key]=value`. */
  readonly bracketed?: ReadonlySet<string>
}

export interface DocumentAnswer {
  /** `none`: no body; `unknown`: the document says nothing of it. */
  readonly kind: 'json' | 'text' | 'bytes' | 'none' | 'unknown'
  readonly contentType?: string
  readonly schema?: Json
  readonly example?: Json
  /** A JSON value in each line; the schema is that of the list of them. */
  readonly isLines?: true
  /** Its status is 201. */
  readonly isCreated?: true
  /** Names of response headers, lowercase. */
  readonly headers: readonly string[]
}

/** `GET /users/{id}`. */
export function titleOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`
}
