import type { Auth } from './auth/auth.ts'
import type { EvmOperation } from './evm/operation.ts'
import type { GraphQlOperation } from './calls/graphql-operation.ts'
import type { HttpRequest } from './calls/http-request.ts'
import type { McpOperation } from './calls/mcp-operation.ts'
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
  | {
      readonly kind: 'parent'
      readonly path: readonly (string | { readonly wildcard: true })[]
      /** The answer may hold only the first of them. */
      readonly cut?: CutList
    }
  /** A query or search on the target, its parameters bound from the parent. */
  | { readonly kind: 'query'; readonly capability: string; readonly bindings: readonly Binding[] }
  /** A get on the target, its parameters bound from the parent. */
  | { readonly kind: 'get'; readonly capability: string; readonly bindings: readonly Binding[] }

/**
 * The member beside a list that shows whether the API has more rows: `more` is true then, `last` is false, `next` leads to them,
 * `total` is greater than the number of rows.
 */
export interface CutList {
  readonly field: string
  readonly means: 'more' | 'last' | 'next' | 'total'
}

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
