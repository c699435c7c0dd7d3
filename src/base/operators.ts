/** The operators of programs, as in `.limit(5)`. They hide methods of their names: the reader of MCP tools gives such methods others. */
export const OPERATOR_NAMES = ['limit', 'page_size', 'singleton', 'sort', 'aggregate', 'group_by'] as const

export type OperatorName = (typeof OPERATOR_NAMES)[number]
