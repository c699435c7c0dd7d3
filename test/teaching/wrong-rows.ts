import { expect } from 'vitest'
import { pin } from '../../src/catalog/digest.ts'
import type { Catalog } from '../../src/catalog/model.ts'
import { check } from '../../src/language/check/check.ts'
import { parse } from '../../src/language/syntax/parse.ts'
import { symbolSpace } from '../../src/session/exposure.ts'
import type { Wave } from '../../src/session/record.ts'
import { teachingTable } from '../../src/teaching/table.ts'

/** The rows that teach these catalogs whole, and what is wrong with their expressions. */
export function wrongRows(...catalogs: readonly Catalog[]): string[] {
  const pinned = catalogs.map(pin)
  const picks = pinned.map(({ digest, catalog }) => ({
    catalog: catalog.id,
    digest,
    lens: 'all' as const,
    entities: catalog.entities.map(({ name }) => name).toSorted(),
  }))
  const waves: Wave[] = [{ revision: 1, generation: 1, picks }]
  const model = (digest: string) => {
    const found = pinned.find((candidate) => candidate.digest === digest)
    if (!found) throw new Error(digest)
    return found.catalog
  }
  const spaceOf = (some: readonly Wave[]) => symbolSpace(some, model)
  const table = teachingTable({ waves, taughtRevision: 0, spaceOf, model, allows: () => true })
  const rows = table.split('\n').slice(1, -1)
  expect(rows.length).toBeGreaterThan(0)
  return rows.flatMap((row) => {
    const [expression = ''] = row.split('\t')
    const parsed = parse(expression)
    const scope = { space: spaceOf(waves), model, allows: () => true, ref: 's0' }
    const problems = [...parsed.problems, ...check(parsed.program, scope, { teaching: true }).problems]
    return problems.map(({ code, message }) => `${row} -> ${code}: ${message}`)
  })
}
