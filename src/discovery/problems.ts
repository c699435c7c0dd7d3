import { oneOf, problemsOf } from '../base/diagnostic.ts'

interface Entry {
  readonly entry: string
  /** Catalogs that could have been meant. */
  readonly known: readonly string[]
}

/** What can be wrong with a question about capabilities. */
export const problem = problemsOf({
  unknown_entry: {
    message: ({ entry }: Entry) => `\`${entry}\` is no catalog here`,
    next: ({ known }: Entry) =>
      known.length === 0
        ? 'Call discover_capabilities without allowed_entry_ids'
        : `Use ${oneOf(known)} in allowed_entry_ids, or leave it out`,
  },
  ambiguous_entry: {
    message: ({ entry }: Entry) => `\`${entry}\` could be more than one catalog`,
    next: ({ known }: Entry) => `Say which one: ${oneOf(known)}`,
  },
})
