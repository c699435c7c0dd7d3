import type { Corpus, Visible } from './corpus.ts'
import type { WordTable } from './embedder.ts'

/** What one query may see of a corpus. */
export interface View {
  readonly corpus: Corpus
  readonly table: WordTable
  /** By catalog: 1 if it is searched. */
  readonly searched: Uint8Array
  /** Is the document of this number searched, and may the caller use what it describes? */
  readonly sees: (document: number) => boolean
}

/** The view of a caller. Asks for each right once: a query looks at a document several times. */
export function viewOf(
  corpus: Corpus,
  table: WordTable,
  considered: ReadonlySet<string>,
  { mayUseCapability }: Visible,
): View {
  const { catalogs, entries, catalogOf, entryOf, capabilityOf } = corpus
  const searched = Uint8Array.from(catalogs, ({ id }) => Number(considered.has(id)))
  const looks = (at: number): boolean => {
    const entry = entryOf[at] ?? 0
    const catalog = catalogOf[entry] ?? 0
    if (searched[catalog] !== 1) return false
    const { id = '' } = catalogs[catalog] ?? {}
    const capability = capabilityOf[at]
    if (capability) return mayUseCapability(id, capability.name)
    return entries[entry]?.reachedBy.some(({ name }) => mayUseCapability(id, name)) ?? false
  }
  const [unknown, seen, hidden] = [0, 1, 2]
  const known = new Uint8Array(capabilityOf.length)
  const sees = (at: number): boolean => {
    if (known[at] === unknown) known[at] = looks(at) ? seen : hidden
    return known[at] === seen
  }
  return { corpus, table, searched, sees }
}
