import { oneOf, problemsOf } from '../base/diagnostic.ts'

interface Entry {
  readonly entry: string
  /** Catalogs that match, or all of them. */
  readonly known: readonly string[]
}

/** Problems of the APIs that a call names. */
export const problem = problemsOf({
  unknown_api: {
    message: ({ api, nearest }: { api: string; nearest: readonly string[] }) =>
      `There is no api \`${api}\`${nearest.length === 0 ? '' : `; nearest: ${oneOf(nearest)}`}.`,
    next: () => 'Copy the `api` from `discover_capabilities`.',
  },
  ambiguous_entry: {
    message: ({ entry }: Entry) => `\`${entry}\` matches several catalogs.`,
    next: ({ known }: Entry) => `Use ${oneOf(known)}.`,
  },
})
