import type { Json } from '../base/canonical.ts'
import type { Auth } from './auth/auth.ts'
import type { EvmOperation } from './evm/operation.ts'
import type { GraphQlOperation } from './graphql-operation.ts'
import type { McpOperation } from './mcp-operation.ts'
import type { Preflight } from './preflight.ts'
import type { View } from './view.ts'

/**
 * The model of an API, independent of its source format: plain frozen data that canonical JSON can carry, so that a model
 * can be stored under its digest and read back. Order matters: the first get of an entity is its default get. It says
 * what symbols mean and how requests look; `CatalogAccess` says where they go and with which credentials.
 */
export interface Catalog {
  /** The `entry_id`, which seeds give as `api`. */
  readonly id: string
  readonly version: number
  readonly description?: string
  /** Other names under which the catalog answers. */
  readonly aliases: readonly string[]
  readonly entities: readonly Entity[]
  readonly capabilities: readonly Capability[]
  /** Features of the whole catalog that are not supported. */
  readonly unsupported: readonly string[]
}

/** Where the calls of a catalog go, and with which credentials: what the operator configures for one process. */
export interface CatalogAccess {
  /** The origin of calls: scheme, host, port and an optional base path; of an MCP server `mcp:` and the server's key. */
  readonly origin: string
  /** Other origins (scheme, host, port) that the catalog's own templates name. */
  readonly otherOrigins: readonly string[]
  readonly auth: Auth
  /** The other origins that receive the credentials of `auth`; by default only `origin` does. */
  readonly authOrigins?: readonly string[]
  /** `direct`: only sessions of direct trust have it; otherwise all do. */
  readonly trust?: 'direct' | 'sandboxed'
  /** The ids of the workspaces that have it; absent: it is not limited to any. */
  readonly workspaces?: readonly string[]
  /** It can only be called in a workspace. */
  readonly needsWorkspace?: true
}

/** A catalog as this process serves it now. Only such a catalog can be called. */
export interface ServedCatalog extends Catalog, CatalogAccess {}

/** A type of rows. */
export interface Entity {
  readonly name: string
  readonly description?: string
  /** The fields that identify a row: one name, or several (in order) for a compound key. */
  readonly key: readonly string[]
  /** Object keys to the id in a row whose id field is missing. */
  readonly idFrom?: readonly string[]
  /** The answer of a get has no id: the requested one is used. */
  readonly implicitIdentity: boolean
  /** Rows are only embedded in others or reached by a relation. */
  readonly abstract: boolean
  readonly aliases: readonly string[]
  readonly fields: readonly Field[]
  readonly relations: readonly Relation[]
  /** Extra search terms for discovery. */
  readonly terms: readonly string[]
  /** The get whose `provides` orders the columns; the first get if absent. */
  readonly primaryRead?: string
}

/** A field of a row or an argument of a capability, with its type. */
export interface Slot {
  readonly name: string
  readonly type: Type
  /** The name of the shared value definition, if there is one: values of the same definition are compatible. */
  readonly value?: string
  readonly description?: string
  readonly required: boolean
}

export interface Field extends Slot {
  /** Object keys from the row to the value; empty: the row itself. */
  readonly path: readonly string[]
  readonly derive?: Derive
  /**
   * The text that asks a GraphQL server for the field. In that of a reference, `{*}` stands for the fields of the referred
   * entity.
   */
  readonly selection?: string
  readonly presentation?: 'reference_only' | 'lossy'
}

/** A rule that derives a field's value from the value at its path. */
export type Derive =
  | { readonly type: 'segment_after_prefix'; readonly prefixes: readonly string[]; readonly index: number }
  | {
      readonly type: 'lookup_in_pairs'
      readonly equals: string
      readonly nameField: string
      readonly valueField: string
      readonly ignoreCase: boolean
    }
  | { readonly type: 'lookup_key'; readonly key: string; readonly ignoreCase: boolean }
  /**
   * The segment after a given one in a text separated by colons: of the first of these keys that has such a text, else of a
   * text in a list.
   */
  | {
      readonly type: 'colon_pair'
      readonly keys: readonly string[]
      readonly list: string
      readonly field: string
      readonly segment: string
    }

export type DateFormat = 'rfc3339' | 'unix_ms' | 'unix_sec' | 'iso8601_date'

export type StringSemantics = 'short' | 'markdown' | 'document' | 'html' | 'json_text'

export type Type =
  /** `written`: what tables say of how its texts are written, such as `address`. */
  | { readonly kind: 'string'; readonly semantics: StringSemantics; readonly written?: string }
  | { readonly kind: 'uuid' | 'boolean' }
  /** `options`: the only values of an argument. */
  | { readonly kind: 'integer' | 'number'; readonly options?: readonly number[] }
  /** `written`: what tables say of it, such as `bool|str`; `text`: a text that is no JSON is a value as well; `of`: only these scalars. */
  | { readonly kind: 'json'; readonly written?: string; readonly text?: true; readonly of?: readonly Type[] }
  /** Bytes as base64; `url`: in the alphabet of URLs. */
  | { readonly kind: 'blob'; readonly url?: true }
  | { readonly kind: 'select' | 'multi_select'; readonly options: readonly string[] }
  /** `text`: the digits of a Unix time are text on the wire. */
  | { readonly kind: 'date'; readonly format: DateFormat; readonly text?: true }
  | { readonly kind: 'reference'; readonly entity: string }
  | { readonly kind: 'array'; readonly items: Type }
  | {
      readonly kind: 'object'
      readonly fields: readonly Parameter[]
      /** Further fields are taught as possible. */
      readonly open: boolean
      /** Further fields are not ruled out: they are sent unless they look like a misspelt one. */
      readonly undeclared?: true
    }
  | { readonly kind: 'union'; readonly variants: readonly Variant[] }

/** One shape of a tagged union: written `u1{…}`, sent with `tag.field: tag.value`. */
export interface Variant {
  readonly name: string
  readonly description?: string
  /** The constructor symbol of the source (`v101`), which programs may use. */
  readonly constructorSymbol?: string
  readonly tag: { readonly field: string; readonly value: string }
  readonly fields: readonly Parameter[]
  /** As of an object. */
  readonly undeclared?: true
}

/** The purpose of an argument: `scope` selects the owner of the rows, `filter` selects among them, others shape the answer. */
export type Role = 'plain' | 'filter' | 'search' | 'sort' | 'sort_direction' | 'response_control' | 'scope'

export interface Parameter extends Slot {
  readonly role: Role
  /** Required, and null is a value. */
  readonly nullable?: true
  /** Object keys to the place of the value in the value that holds it, if that is not its own name. */
  readonly wirePath?: readonly string[]
  /** The value is sent as a list of one object that holds it under this key. */
  readonly wireElementKey?: string
}

export interface Relation {
  readonly name: string
  readonly target: string
  readonly many: boolean
  readonly description?: string
  readonly via: Via
}

/** How the rows of a relation are read. */
export type Via =
  /** The relation is only documented and cannot be read. */
  | { readonly kind: 'none' }
  /**
   * An object, an id or a list of them under the relation's name in the parent's row; missing rows are read by id. `field`: the
   * one that asks a GraphQL server for them.
   */
  | { readonly kind: 'embedded'; readonly field?: string }
  /** Rows (or ids) in the parent's own answer. */
  | { readonly kind: 'parent'; readonly path: readonly (string | { readonly wildcard: true })[] }
  /** A query or search on the target, its parameters bound from the parent. */
  | { readonly kind: 'query'; readonly capability: string; readonly bindings: readonly Binding[] }
  /** A get on the target, its parameters bound from the parent. */
  | { readonly kind: 'get'; readonly capability: string; readonly bindings: readonly Binding[] }

/** Binds a parameter to a field of the parent; no field: to the parent's identity. */
export interface Binding {
  readonly parameter: string
  readonly field?: string
}

export type CapabilityKind = 'query' | 'search' | 'get' | 'create' | 'update' | 'delete' | 'action'

/** One operation of an API. */
export interface Capability {
  readonly name: string
  readonly entity: string
  readonly kind: CapabilityKind
  /** The method name in programs, such as `comment-create`; unique among the entity's methods. */
  readonly label: string
  readonly description?: string
  readonly parameters: readonly Parameter[]
  /** The input accepts keys that are not parameters. */
  readonly openInput: boolean
  /** The fields in the answer; if absent, every field for a read and none for a write. */
  readonly provides?: readonly string[]
  /** `read` if the call changes nothing; an action over GET without side effects is a read, too. */
  readonly effect: 'read' | 'write' | 'side_effect'
  /** The description of the side effect, if the answer has no rows. */
  readonly sideEffect?: string
  /** A compound scope argument also fills the key slots of its parts; the aggregate itself is then left out. */
  readonly omitAggregateScope: boolean
  /** How the capability is called; null if the kind of call is not supported, which `unsupported` then names. */
  readonly call: CapabilityCall | null
  /** Reads right before the call, whose results fill variables of the request. */
  readonly preflight?: readonly Preflight[]
  /** Features that it needs and that are not supported: it is listed, but cannot be planned. Empty if it runs. */
  readonly unsupported: readonly string[]
  /** The header for an idempotency key, if the API has one. */
  readonly idempotencyHeader?: string
  /** What a status that is no success means for a write, by status: where nothing is said, its outcome may be unknown. */
  readonly statusOutcomes?: Readonly<Record<number, 'done' | 'not_done'>>
  readonly terms: readonly string[]
}

/**
 * The kinds of calls. Each kind has one executor under `execution/sources`, listed in its index, which does not compile
 * without it. A kind that is not sent over HTTP needs a port of its own besides, as `mcp` does.
 */
export type CapabilityCall =
  | { readonly kind: 'http'; readonly request: HttpRequest }
  /** GraphQL over HTTP: `errors` in an answer are errors for any status. */
  | { readonly kind: 'graphql'; readonly request: HttpRequest; readonly operation?: GraphQlOperation }
  /** A read of a contract from a node of an EVM chain; the body of the request holds its operands. */
  | { readonly kind: 'evm'; readonly request: HttpRequest; readonly operation: EvmOperation }
  /** A tool or the resources of an MCP server. */
  | { readonly kind: 'mcp'; readonly operation: McpOperation }
  /** Other reads of the same catalog, composed into one row. */
  | { readonly kind: 'view'; readonly view: View }

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
  | {
      readonly type: 'format'
      readonly template: string
      readonly vars: readonly (readonly [string, Expression])[]
      /** Its values are percent-encoded where a cookie cannot hold them. */
      readonly isCookie?: true
    }
  /** A plain-text e-mail (RFC 5322) in the object that Gmail takes. */
  | { readonly type: 'mail'; readonly fields: readonly (readonly [MailField, Expression])[] }

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
  /** The answer is no JSON: one text, or bytes that are read as base64. */
  readonly format?: 'text' | 'bytes'
  /** How the rows are derived, if they are not in the answer as such. */
  readonly reshape?: Reshape
  /** Members of a list's answer that each of its rows holds as well, by the last key: object keys to each. */
  readonly beside?: readonly (readonly string[])[]
  /** For a get: a second request, part of whose answer is added to the first. */
  readonly auxiliary?: Auxiliary
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
  /** Each element (or the only value) that is no object as an object that holds it under this field; `all`: objects as well. */
  | {
      readonly kind: 'wrap'
      readonly path: readonly (string | number)[]
      readonly field: string
      readonly all?: true
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
  /** The answer's field that holds the next page's URL. */
  readonly nextUrlField?: string
  /** Rows per page, if the template sets it: a shorter page is then the last one. */
  readonly pageSize?: number
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
  /** `ofRow`: the field is one of the page's last row, else of the object at the paging's `responsePath`. */
  | { readonly name: string; readonly kind: 'cursor'; readonly field: string; readonly ofRow?: true }
