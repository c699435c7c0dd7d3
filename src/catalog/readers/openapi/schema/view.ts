import type { Json } from '../../../../base/canonical.ts'

/** A schema with its references and `allOf` merged, one level deep: its parts are still as the document has them. */
export interface View {
  /** The component that the schema is or refers to. */
  readonly name?: string
  /** Without `null`; empty if the schema does not say. */
  readonly types: readonly string[]
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly options?: readonly Json[]
  readonly example?: Json
  readonly fallback?: Json
  readonly minimum?: number
  readonly maximum?: number
  readonly properties: ReadonlyMap<string, Json>
  readonly required: ReadonlySet<string>
  readonly items?: Json
  /** The schema of further properties; true if they are allowed in so many words. */
  readonly additional?: Json
  /** Alternatives (`oneOf`, `anyOf`) besides null, if there are several. */
  readonly variants: readonly Json[]
  /** The property that tells the variants apart. */
  readonly tag?: string
  /** What the document says of the values of the tag: the names of their components. */
  readonly mapping?: ReadonlyMap<string, string>
  /** `additionalProperties: false` */
  readonly isClosed: boolean
  /** `null` is a value as well. */
  readonly isNullable: boolean
  readonly isReadOnly: boolean
  readonly isWriteOnly: boolean
  readonly isDeprecated: boolean
}

export const ANYTHING: View = {
  types: [],
  properties: new Map(),
  required: new Set(),
  variants: [],
  isClosed: false,
  isNullable: false,
  isReadOnly: false,
  isWriteOnly: false,
  isDeprecated: false,
}

export function isArray({ types, items, properties }: View): boolean {
  return types.includes('array') || (items !== undefined && types.length === 0 && properties.size === 0)
}

export function isScalar({ types }: View): boolean {
  return types.length > 0 && types.every((type) => /^(?:string|integer|number|boolean)$/.test(type))
}
