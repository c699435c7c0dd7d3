/**
 * The formats of catalogs, by the names of their readers; a document that several accept is of the first. `plasm`, which
 * accepts every `.yaml` file, is the last.
 */
export const CATALOG_FORMATS = ['openapi', 'graphql', 'plasm'] as const

export type CatalogFormat = (typeof CATALOG_FORMATS)[number]
