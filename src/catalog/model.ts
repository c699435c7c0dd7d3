import type { Json } from '../base/canonical.ts'
import type { Preflight } from './preflight.ts'
import type { View } from './view.ts'

/**
 * What an agent may touch, whatever it was read from: plain frozen data that canonical JSON can carry, so that a model
 * can be stored under its digest and read back. Order is meaning: the first get of an entity is its get.
 */
export interface Catalog {
  /** The `entry_id`: what a seed calls `api`. */
  readonly id: string
  readonly version: number
  readonly description?: string
  /** Where calls go: scheme, host, port and, possibly, a base path. */
  readonly origin: string
  /** Other origins (scheme, host, port) that the catalog's own templates name. */
  readonly otherOrigins: readonly string[]
  /** Other names under which the catalog answers. */
  readonly aliases: readonly string[]
  readonly entities: readonly Entity[]
  readonly capabilities: readonly Capability[]
  readonly auth: Auth
  /** Of the other origins those that what `auth` proves the caller by goes to as well; else it goes to `origin` alone. */
  readonly authOrigins?: readonly string[]
  /** What the source asks for that we do not do, for the catalog as a whole. */
  readonly unsupported: readonly string[]
}

/** A kind of thing: what rows are rows of. */
export interface Entity {
  readonly name: string
  readonly description?: string
  /** The slots that identify one: a single name, or several (in order) for a compound key. */
  readonly key: readonly string[]
  /** Where the id stands in a row whose id field is missing (object keys). */
  readonly idFrom?: readonly string[]
  /** The body of a get does not carry the id: the requested one is taken. */
  readonly implicitIdentity: boolean
  /** Only ever embedded in others or reached by a relation. */
  readonly abstract: boolean
  readonly aliases: readonly string[]
  readonly fields: readonly Field[]
  readonly relations: readonly Relation[]
  /** Extra words for discovery. */
  readonly terms: readonly string[]
  /** The capability (a get) whose `provides` orders the columns; the first get where absent. */
  readonly primaryRead?: string
}

/** A typed place: a field of a row or an argument of a capability. */
export interface Slot {
  readonly name: string
  readonly type: Type
  /** The name of the shared value definition, where the source has one: equal names brand equal meanings. */
  readonly value?: string
  readonly description?: string
  readonly required: boolean
}

export interface Field extends Slot {
  /** Object keys from the row to the value; empty: the row itself. */
  readonly path: readonly string[]
  readonly derive?: Derive
  readonly presentation?: 'reference_only' | 'lossy'
}

/** A rule that makes a field's value from what stands at its path. */
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
  /** `segment:next` out of colons: in the text under the first of these keys that has one, else in a text of a list. */
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
  | { readonly kind: 'string'; readonly semantics: StringSemantics }
  | { readonly kind: 'uuid' | 'integer' | 'number' | 'boolean' | 'json' }
  /** Bytes as base64; `url`: in the alphabet of URLs. */
  | { readonly kind: 'blob'; readonly url?: true }
  | { readonly kind: 'select' | 'multi_select'; readonly options: readonly string[] }
  | { readonly kind: 'date'; readonly format: DateFormat }
  | { readonly kind: 'reference'; readonly entity: string }
  | { readonly kind: 'array'; readonly items: Type }
  | { readonly kind: 'object'; readonly fields: readonly Parameter[]; readonly open: boolean }
  | { readonly kind: 'union'; readonly variants: readonly Variant[] }

/** One shape of a tagged union: written `u1{…}`, sent with `tag.field: tag.value`. */
export interface Variant {
  readonly name: string
  readonly description?: string
  /** The constructor symbol that the source gives (`v101`); accepted in programs. */
  readonly constructorSymbol?: string
  readonly tag: { readonly field: string; readonly value: string }
  readonly fields: readonly Parameter[]
}

/** What an argument is for. `scope`: whose rows; `filter`: which; the rest shape the answer. */
export type Role = 'plain' | 'filter' | 'search' | 'sort' | 'sort_direction' | 'response_control' | 'scope'

export interface Parameter extends Slot {
  readonly role: Role
  /** Where the value goes inside the value that holds it, when not under its own name (object keys). */
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

/** How a relation is walked. */
export type Via =
  /** Only documented: it cannot be walked. */
  | { readonly kind: 'none' }
  /** An object, an id or a list of such under the relation's own name in the parent's row; what is missing is got by id. */
  | { readonly kind: 'embedded' }
  /** Rows (or ids) that stand in the parent's own answer. */
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
  /** What programs call it: `comment-create`; unique among the entity's methods. */
  readonly label: string
  readonly description?: string
  readonly parameters: readonly Parameter[]
  /** The input takes keys that no parameter names. */
  readonly openInput: boolean
  /** The fields that the answer fills; every field where absent, none for a write. */
  readonly provides?: readonly string[]
  /** `read` for what cannot change anything; an action over GET without side effects is a read, too. */
  readonly effect: 'read' | 'write' | 'side_effect'
  /** What the side effect is, where the answer holds no rows. */
  readonly sideEffect?: string
  /** A compound scope argument also fills the key slots it is made of; the aggregate itself is then left out. */
  readonly omitAggregateScope: boolean
  /** How it is answered; null where the source asks for a kind that we lack: `unsupported` then says which. */
  readonly call: CapabilityCall | null
  /** Reads right before the call, whose findings fill variables of the request. */
  readonly preflight?: readonly Preflight[]
  /** Features that the capability needs and we lack: it is listed, and refused when planned. Empty: it runs. */
  readonly unsupported: readonly string[]
  /** A header that carries an idempotency key, where the API has one. */
  readonly idempotencyHeader?: string
  readonly terms: readonly string[]
}

/**
 * The ways in which a capability can be answered. Each kind has one executor: one file under `execution/sources`, and one
 * line in its index, which does not compile without it.
 */
export type CapabilityCall =
  | { readonly kind: 'http'; readonly request: HttpRequest }
  /** GraphQL over HTTP: `errors` in an answer are errors, whatever its status. */
  | { readonly kind: 'graphql'; readonly request: HttpRequest }
  /** Other reads of the same catalog, composed into one row. */
  | { readonly kind: 'view'; readonly view: View }

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'

/** A request template: what is sent, as expressions over the call's arguments. */
export interface HttpRequest {
  readonly method: Method
  /** Joined by `/` after the origin's base path; the first may be an absolute URL literal. */
  readonly path: readonly PathSegment[]
  readonly query?: Expression
  readonly headers?: Expression
  readonly body?: Expression
  readonly bodyFormat: 'json' | 'form'
  readonly paging?: Paging
  readonly response: AnswerShape
}

export type PathSegment =
  | { readonly type: 'literal'; readonly value: string }
  | {
      readonly type: 'var'
      readonly name: string
      readonly suffix: string
      readonly encode: 'segment' | 'slashes'
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
  | {
      readonly type: 'format'
      readonly template: string
      readonly vars: readonly (readonly [string, Expression])[]
    }
  /** A plain-text e-mail (RFC 5322) in the object that Gmail takes. */
  | { readonly type: 'mail'; readonly fields: readonly (readonly [MailField, Expression])[] }

/** What an e-mail is made of; a reply also of what it answers. */
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

/** Where the rows stand in an answer. */
export interface AnswerShape {
  /** Object keys and array indexes to the list (or, with `single`, to the object); absent: the body, or its `results`. */
  readonly path?: readonly (string | number)[]
  /** One more key to descend in each element. */
  readonly innerKey?: string
  readonly single: boolean
  /** A bare number or string is a row. */
  readonly scalar: boolean
  /** How the rows are made of what stands there, where they do not stand there themselves. */
  readonly reshape?: Reshape
  /** Of a get: a second answer, of which a part is put into the first. */
  readonly auxiliary?: Auxiliary
}

/** Rows out of a list whose elements are no rows; `path`: object keys and indexes to the list. */
export type Reshape =
  /** The list inside the one element whose field is what the call was given as this variable. */
  | {
      readonly kind: 'pluck'
      readonly path: readonly (string | number)[]
      readonly field: string
      readonly variable: string
      readonly inner: string
    }
  /** The lists inside all elements, one after another. */
  | { readonly kind: 'concat'; readonly path: readonly (string | number)[]; readonly inner: string }
  /** Each element as an object that holds it under this field. */
  | { readonly kind: 'wrap'; readonly path: readonly (string | number)[]; readonly field: string }

export interface Auxiliary {
  readonly request: Pick<HttpRequest, 'method' | 'path' | 'query' | 'headers' | 'bodyFormat'>
  /** Object keys and indexes to the part of its answer. */
  readonly from: readonly (string | number)[]
  /** The key of the first answer that it is put under. */
  readonly into: string
}

/** How the next page is asked for. */
export interface Paging {
  readonly location: 'query' | 'body' | 'link_header' | 'next_url'
  readonly parameters: readonly PageParameter[]
  /** Object keys to where the parameters go in the body. */
  readonly bodyPath: readonly string[]
  /** Object keys and indexes under which the fields of `stop` and of cursors stand in the answer. */
  readonly responsePath: readonly (string | number)[]
  readonly stop?: { readonly field: string; readonly equals?: Json }
  /** The answer's field that holds the next page's URL. */
  readonly nextUrlField?: string
  /** Rows a page, where the template says: a shorter page is then the last one. */
  readonly pageSize?: number
}

export type PageParameter =
  | { readonly name: string; readonly kind: 'counter'; readonly start: number; readonly step: number }
  | { readonly name: string; readonly kind: 'fixed'; readonly value: Json; readonly isPageSize: boolean }
  | { readonly name: string; readonly kind: 'cursor'; readonly field: string }

/** Where a secret is kept, never the secret: `env:NAME` or `file:PATH`. */
export type SecretReference = string

export type Auth =
  | { readonly scheme: 'none' }
  | {
      readonly scheme: 'api_key'
      readonly in: 'header' | 'query'
      readonly name: string
      readonly secret: SecretReference
    }
  | { readonly scheme: 'bearer'; readonly secret: SecretReference; readonly optional: boolean }
  | {
      readonly scheme: 'client_credentials'
      readonly tokenUrl: string
      readonly clientId: SecretReference
      readonly clientSecret: SecretReference
      readonly scopes: readonly string[]
    }

/** A catalog and the digest that names exactly this model. */
export interface PinnedCatalog {
  readonly digest: string
  readonly catalog: Catalog
}
