import { oneOf, problemsOf } from '../base/diagnostic.ts'

interface Entry {
  readonly entry: string
  /** Catalogs that match, or all of them. */
  readonly known: readonly string[]
}

/** Problems of a `discover_capabilities` call. */
export const problem = problemsOf({
  unknown_entry: {
    message: ({ entry }: Entry) => `There is no catalog \`${entry}\`.`,
    next: ({ known }: Entry) =>
      known.length === 0
        ? 'Call discover_capabilities without allowed_entry_ids.'
        : `Use ${oneOf(known)} in allowed_entry_ids, or leave it out.`,
  },
  ambiguous_entry: {
    message: ({ entry }: Entry) => `\`${entry}\` matches several catalogs.`,
    next: ({ known }: Entry) => `Use ${oneOf(known)}.`,
  },
})
