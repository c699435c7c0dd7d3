import type { Json } from '../../../../base/canonical.ts'
import type { CapabilityKind } from '../../../model.ts'
import type { View } from '../schema/view.ts'
import type { Placed, Variable } from './places.ts'

/** An entity while it is made. */
export interface Draft {
  readonly name: string
  /** The words of its noun, joined by blanks. */
  readonly noun: string
  /** The path of one row, if there is one. */
  readonly anchor?: Anchor
  /** What answers show of its rows: the most complete one first. */
  readonly views: View[]
  /** Answers that are no objects: what one field holds then. */
  scalar?: Scalar
  /** Members beside its lists, which each row holds as well, with their schemas. */
  beside?: Map<string, Json>
  readonly why: string[]
  description?: string
}

/** The path of one row, and the names of its variables in the entity's key. */
export interface Anchor {
  readonly path: string
  /** The path of all rows: without the last variables. */
  readonly collection: string
  readonly variables: readonly Variable[]
  readonly slots: readonly string[]
  /** The fields that the last variables fill; undefined if no field holds them. */
  readonly ownFields: readonly (string | undefined)[]
  /** The answer has no id: the requested one is used. */
  readonly isImplicit: boolean
  /** It is a part of another row, whose key it shares. */
  readonly isPart: boolean
}

/** The field that answers fill which are no objects, and what they look like if they are all of one type. */
export interface Scalar {
  readonly field: 'text' | 'content' | 'value'
  readonly view?: View
}

/** What an operation is for: the entity that it belongs to, and what it does with it. */
export interface Use {
  readonly placed: Placed
  readonly entity: Draft
  readonly kind: CapabilityKind
  readonly effect: 'read' | 'write'
  /** It is called on a row, whose key fills the variables of the path. */
  readonly isOnRow: boolean
  /** Its answer holds rows of the entity. */
  readonly showsRows: boolean
  readonly why: readonly string[]
}
