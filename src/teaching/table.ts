import type { Catalog } from '../catalog/model.ts'
import type { SymbolSpace } from '../session/exposure.ts'
import type { Wave } from '../session/record.ts'
import { waveRows } from './rows.ts'

/** The header of every teaching table. */
export const TABLE_HEADER = 'plasm_expr\tMeaning'

/** The inputs of a table. */
export interface Teaching {
  readonly waves: readonly Wave[]
  /** The reader holds the rows up to this revision: 0 for none. */
  readonly taughtRevision: number
  readonly spaceOf: (waves: readonly Wave[]) => SymbolSpace
  readonly model: (digest: string) => Catalog
  readonly allows: (catalog: string, capability: string) => boolean
  /** Catalogs that are hidden from the reader; none by default. */
  readonly hides?: (catalog: string) => boolean
}

/**
 * The rows that the waves after `taughtRevision` teach, under the header; `''` if there are none. The rows of a wave are rendered as
 * of that wave, so that a table is a prefix of every later one and a repeat is byte-equal. Rows of retired symbols, and of
 * capabilities that the caller may not use, are omitted; nothing is renumbered.
 */
export function teachingTable({ waves, taughtRevision, spaceOf, model, allows, hides }: Teaching): string {
  const now = spaceOf(waves)
  const rows = waves.flatMap((wave, index) =>
    wave.revision > taughtRevision
      ? waveRows({
          space: spaceOf(waves.slice(0, index + 1)),
          now,
          wave,
          model,
          allows,
          ...(hides && { hides }),
        })
      : [],
  )
  return rows.length === 0 ? '' : `${[TABLE_HEADER, ...rows].join('\n')}\n`
}
