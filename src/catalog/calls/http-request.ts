import type { Json } from '../../base/canonical.ts'

/* The HTTP requests of a catalog, as templates, and what their answers look like. */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'

/** A request template: expressions over the call's arguments. */
export interface HttpRequest {
  readonly method: Method
  /** Joined by `/` after the origin's base path; the first may be an absolute URL literal. */
  readonly path: readonly PathSegment[]
  readonly query?: Expression
  readonly headers?: Expression
  readonly body?: Expression
  readonly bodyFormat: BodyFormat
  /** The content type of the body, if it is not the usual one of its format. */
  readonly contentType?: string
  /** The parts of a multipart body that are files: bytes as base64, or `{content, name}`. */
  readonly fileParts?: readonly string[]
  /** A body that would be empty is left out. */
  readonly omitEmptyBody?: true
  /** Arguments without a parameter are further members of the body. */
  readonly openBody?: true
  readonly paging?: Paging
  readonly response: AnswerShape
}

/** `text`: one text as it is; `bytes`: base64, sent decoded. */
export type BodyFormat = 'json' | 'form' | 'multipart' | 'text' | 'bytes'

/** `glued`: no slash stands before it. */
export type PathSegment =
  | { readonly type: 'literal'; readonly value: string; readonly glued?: true }
  | {
      readonly type: 'var'
      readonly name: string
      readonly suffix: string
      readonly encode: 'segment' | 'slashes'
      readonly glued?: true
    }

export type Expression =
  | { readonly type: 'var'; readonly name: string }
  | { readonly type: 'const'; readonly value: Json }
  /** A key whose value is null is left out. */
  | { readonly type: 'object'; readonly fields: readonly (readonly [string, Expression])[] }
  | { readonly type: 'array'; readonly elements: readonly Expression[] }
  | {
      readonly type: 'if'
      readonly condition: Condition
      readonly then: Expression
      readonly else: Expression
    }
  | { readonly type: 'join'; readonly separator: string; readonly items: Expression }
  /** Each element of a list, which `each` reads as the variable `item`. */
  | { readonly type: 'map'; readonly items: Expression; readonly item: string; readonly each: Expression }
  /** The members of an object under keys of their own, in a query or a form. */
  | { readonly type: 'pairs'; readonly style: PairStyle; readonly value: Expression }
  | {
      readonly type: 'format'
      readonly template: string
      readonly vars: readonly (readonly [string, Expression])[]
      /** Its values are percent-encoded where a cookie cannot hold them. */
      readonly isCookie?: true
    }
  /** A plain-text e-mail (RFC 5322) in the object that Gmail takes. */
  | { readonly type: 'mail'; readonly fields: readonly (readonly [MailField, Expression])[] }

/** `brackets`: `key[member]=value`; `bare`: `member=value`; `listed`: `key=member,value`. */
export type PairStyle = 'brackets' | 'bare' | 'listed'

/** The fields of an e-mail, and of the message that a reply answers. */
export type MailField =
  | 'from'
  | 'to'
  | 'subject'
  | 'text'
  | 'inReplyTo'
  | 'references'
  | 'threadId'
  | 'parentFrom'
  | 'parentReplyTo'
  | 'parentSubject'
  | 'parentMessageId'
  | 'parentReferences'
  | 'parentThreadId'

export type Condition =
  | { readonly type: 'exists'; readonly var: string }
  | { readonly type: 'equals'; readonly left: Expression; readonly right: Expression }
  | { readonly type: 'bool'; readonly value: Expression }

/** The place of the rows in an answer. */
export interface AnswerShape {
  /** Object keys and array indexes to the list (or, with `single`, to the object); absent: the body, or its `results`. */
  readonly path?: readonly (string | number)[]
  /** One more key to descend in each element. */
  readonly innerKey?: string
  readonly single: boolean
  /** A bare number or string is a row. */
  readonly scalar: boolean
  /** If the answer is not one JSON value. */
  readonly format?: AnswerFormat
  /** How the rows are derived, if they are not in the answer as such. */
  readonly reshape?: Reshape
  /** Members of a list's answer that each of its rows holds as well, by the last key: object keys to each. */
  readonly beside?: readonly (readonly string[])[]
  readonly verdict?: Verdict
  /** For a get: a second request, part of whose answer is added to the first. */
  readonly auxiliary?: Auxiliary
}

/** `text`: one text as it is; `bytes`: read as base64; `lines`: a JSON value in each line, read as a list. */
export type AnswerFormat = 'text' | 'bytes' | 'lines'

/** The member of an answer that says whether the call was done; what went wrong stands beside it. */
export interface Verdict {
  /** Object keys to it. */
  readonly path: readonly string[]
  /** Its values that say that the call was not done. */
  readonly failures: readonly Json[]
}

/** Derives rows from a list whose elements are not rows; `path`: object keys and indexes to the list. */
export type Reshape =
  /** The list inside the element whose field equals this variable of the call. */
  | {
      readonly kind: 'pluck'
      readonly path: readonly (string | number)[]
      readonly field: string
      readonly variable: string
      readonly inner: string
    }
  /** The lists inside all elements, one after another. */
  | { readonly kind: 'concat'; readonly path: readonly (string | number)[]; readonly inner: string }
  /**
   * Each element (or the only value) that is no object as an object that holds it under this field; `all`: objects as well,
   * beside their members of the names in `key`; `list`: an object that holds one list of objects, likely of this name, is it.
   */
  | {
      readonly kind: 'wrap'
      readonly path: readonly (string | number)[]
      readonly field: string
      readonly all?: true
      readonly key?: readonly string[]
      readonly list?: string
    }

export interface Auxiliary {
  readonly request: Pick<HttpRequest, 'method' | 'path' | 'query' | 'headers' | 'bodyFormat'>
  /** Object keys and indexes to the part of its answer. */
  readonly from: readonly (string | number)[]
  /** The key of the first answer that it is put under. */
  readonly into: string
}

/** How the next page is requested. */
export interface Paging {
  readonly location: 'query' | 'body' | 'link_header' | 'next_url'
  readonly parameters: readonly PageParameter[]
  /** Object keys to the place of the paging parameters in the body. */
  readonly bodyPath: readonly string[]
  /** Object keys and indexes to the object with the fields of `stop` and of cursors in the answer. */
  readonly responsePath: readonly (string | number)[]
  readonly stop?: { readonly field: string; readonly equals?: Json }
  /** The member of the answer that counts all rows, or all pages of them. */
  readonly total?: { readonly path: readonly string[]; readonly counts: 'rows' | 'pages' }
  /** The answer's field that holds the next page's URL. */
  readonly nextUrlField?: string
  /** The answer's header, lowercase, that holds the next page's URL where no `Link` does. */
  readonly nextHeader?: string
  /** The document does not say how pages go on: rows may be missing where no header leads to them. */
  readonly isGuess?: true
  /** Rows per page, if the template sets it: a shorter page is then the last one. */
  readonly pageSize?: number
  /** The argument by which a caller may ask for another size. */
  readonly sizeArgument?: string
}

export type PageParameter =
  /** `rows`: it advances by the rows of each page. */
  | {
      readonly name: string
      readonly kind: 'counter'
      readonly start: number
      readonly step: number | 'rows'
    }
  | { readonly name: string; readonly kind: 'fixed'; readonly value: Json; readonly isPageSize: boolean }
  | {
      readonly name: string
      readonly kind: 'cursor'
      readonly field: string
      /** The field is one of the page's last row. */
      readonly ofRow?: true
      /** The field is a header of the answer, lowercase. Without both it is one of the object at the paging's `responsePath`. */
      readonly ofHeader?: true
    }
