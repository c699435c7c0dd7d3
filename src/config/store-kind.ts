/** The kinds of store. */
const STORE_KINDS = ['sqlite', 'memory', 'redis'] as const

export type StoreKind = (typeof STORE_KINDS)[number]

/** The URLs that imply a kind; a kind without them is set by its name alone. */
const URLS: Record<StoreKind, RegExp | undefined> = {
  sqlite: undefined,
  memory: undefined,
  redis: /^rediss?:\/\/\S+$/,
}

/** The kind of store that the setting means: by name, or by a URL; undefined if it means none. */
export function storeKindOf(setting: string): StoreKind | undefined {
  return STORE_KINDS.find((kind) => setting === kind || URLS[kind]?.test(setting))
}
