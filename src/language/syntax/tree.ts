import type { Span } from '../../base/diagnostic.ts'

/** A parsed program: frozen plain data, every node with its span. Knows no catalog. */
export interface Program {
  readonly bindings: readonly Binding[]
  /** The results of the program, in order: the expressions of the lines that bind nothing. */
  readonly roots: readonly Expression[]
}

/** `label = expression` */
export interface Binding {
  readonly label: Name
  readonly value: Expression
  readonly span: Span
}

/** A name as written: a symbol (`e3`), a wire name, an alias, a label. It is resolved later. */
export interface Name {
  readonly text: string
  readonly span: Span
}

export type Expression =
  | { readonly kind: 'rows'; readonly head: Head; readonly segments: readonly Segment[]; readonly span: Span }
  /** `source => body`: the body once for each row of the source, `_` being the row. */
  | { readonly kind: 'each'; readonly source: Expression; readonly body: Expression; readonly span: Span }
  /** An object, list, text or number as a statement's whole right side. */
  | { readonly kind: 'literal'; readonly value: Value; readonly span: Span }

/** The source of rows. */
export type Head =
  /** `Issue`, `e3`, or a label bound above. */
  | { readonly kind: 'name'; readonly name: Name; readonly span: Span }
  /** `e3(42)`, `e3(owner=a, repo=b)` */
  | { readonly kind: 'get'; readonly entity: Name; readonly arguments: Arguments; readonly span: Span }
  /** `e3{state=open}` */
  | {
      readonly kind: 'query'
      readonly entity: Name
      readonly predicates: readonly Predicate[]
      readonly ellipsis?: Span
      readonly span: Span
    }
  /** `e3~"text"{state=open}` */
  | {
      readonly kind: 'search'
      readonly entity: Name
      readonly text: Value
      readonly predicates: readonly Predicate[]
      readonly ellipsis?: Span
      readonly span: Span
    }
  /** `page(s0_pg1, limit=20)` */
  | { readonly kind: 'page'; readonly handle: Name; readonly limit?: Value; readonly span: Span }
  /** `_`, inside the body of an `each` */
  | { readonly kind: 'cursor'; readonly span: Span }

export type Segment =
  /** `.comments`, `.comments{state=open}`: a relation, a reference field, or a method without arguments */
  | {
      readonly kind: 'step'
      readonly name: Name
      readonly predicates?: readonly Predicate[]
      readonly ellipsis?: Span
      readonly span: Span
    }
  /** `.close(reason=done)`, `.limit(5)`, `.aggregate(n=count)`: a method or a postfix operator */
  | { readonly kind: 'call'; readonly name: Name; readonly arguments: Arguments; readonly span: Span }
  /** `.^Order{status=open}` */
  | {
      readonly kind: 'reverse'
      readonly entity: Name
      readonly predicates: readonly Predicate[]
      readonly ellipsis?: Span
      readonly span: Span
    }
  /** `{n > 5}` behind a call or columns: those rows that meet the conditions */
  | {
      readonly kind: 'filter'
      readonly predicates: readonly Predicate[]
      readonly ellipsis?: Span
      readonly span: Span
    }
  /** `[title, author.login]` */
  | { readonly kind: 'project'; readonly fields: readonly FieldPath[]; readonly span: Span }
  /** `<<TAG … TAG` after rows: a template over them */
  | { readonly kind: 'template'; readonly text: TextValue; readonly span: Span }

/** `author.login`, also written `author[login]`; in a projection also `by=author.login` */
export interface FieldPath {
  readonly names: readonly Name[]
  /** The column's name, if it is not that of the field. */
  readonly as?: Name
  readonly span: Span
}

/** `k=v`, in a call, an object or a constructor */
export interface Entry {
  readonly name: Name
  readonly value: Value
  readonly span: Span
}

export interface Arguments {
  readonly positional: readonly Value[]
  readonly named: readonly Entry[]
  /** `..`: omitted optional keys, in teaching tables; never in a program. */
  readonly ellipsis?: Span
  readonly span: Span
}

export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=' | '~'

export interface Predicate {
  /** One name, or two: `pet.status`. */
  readonly field: FieldPath
  readonly operator: Operator
  /** Absent for `field=`: null. */
  readonly value?: Value
  readonly span: Span
}

/** Quoted or heredoc text: its content (escapes resolved) and its notation. */
export interface TextValue {
  readonly kind: 'text'
  readonly value: string
  readonly form: 'double' | 'single' | 'heredoc'
  readonly span: Span
}

export type Value =
  | TextValue
  /** A number as written: its digits are kept for text slots. */
  | { readonly kind: 'number'; readonly text: string; readonly span: Span }
  /** An unquoted token or phrase: `open`, `ENG-42`, `2024-01-01T00:00:00Z`, `Sprint Sandbox`; or a label bound above. */
  | { readonly kind: 'bare'; readonly text: string; readonly span: Span }
  /** `report.content`, `_.id`: a path whose first name may be a label. Otherwise it is bare text. */
  | { readonly kind: 'path'; readonly names: readonly Name[]; readonly text: string; readonly span: Span }
  | { readonly kind: 'list'; readonly items: readonly Value[]; readonly span: Span }
  /** `{k=v}`, `{k: v}` or `{"k": v}` */
  | {
      readonly kind: 'object'
      readonly entries: readonly Entry[]
      readonly ellipsis?: Span
      readonly span: Span
    }
  /** `e3(42)`, `Repository(owner=a, repo=b)`, `sum(price)`: a reference or an aggregate function */
  | { readonly kind: 'call'; readonly name: Name; readonly arguments: Arguments; readonly span: Span }
  /** `u1{text=…}`, `v101{…}` */
  | {
      readonly kind: 'constructor'
      readonly name: Name
      readonly entries: readonly Entry[]
      readonly ellipsis?: Span
      readonly span: Span
    }
  /** `$`, a placeholder in rows of teaching tables; never in a program. */
  | { readonly kind: 'hole'; readonly span: Span }
