/** Limits of what is read of one schema, so that a hostile one is read in bounded time and memory. */
export const BOUNDS = {
  /** Fields of one entity, in the schema's order. */
  fields: 80,
  /** Levels of objects without an identity inside a row. */
  valueDepth: 2,
  /** Fields of one such object. */
  valueFields: 12,
  /** Levels of an argument's type; what lies deeper is JSON. */
  inputDepth: 4,
  /** Fields of an argument's type on all its levels. */
  inputFields: 150,
  /** Enum values of one type. */
  options: 300,
  /** Types of one union or interface whose fields are asked for. */
  members: 30,
  entities: 5000,
  capabilities: 10_000,
  /** Characters of a description. */
  prose: 500,
} as const

/** Rows per page, if the schema states no default. */
export const PAGE_SIZE = 50
