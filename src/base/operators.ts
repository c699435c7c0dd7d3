/** The operators of programs, as in `.limit(5)`. Readers of catalogs keep these names from methods. */
export const OPERATOR_NAMES = ['limit', 'page_size', 'singleton', 'sort', 'aggregate', 'group_by'] as const

export type OperatorName = (typeof OPERATOR_NAMES)[number]
