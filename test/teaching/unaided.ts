import { pin } from '../../src/catalog/digest.ts'
import { fieldsOf } from '../../src/catalog/lookup.ts'
import type { Catalog } from '../../src/catalog/model.ts'
import { readProgram } from '../../src/language/program.ts'
import { symbolSpace } from '../../src/session/exposure.ts'
import type { Wave } from '../../src/session/record.ts'
import { teachingTable } from '../../src/teaching/table.ts'
import { isGet, opener, readTable, type ReadEntity, type ReadRow, relationIn } from './reading.ts'
import { valuesOf } from './samples.ts'

/**
 * What a table lets an agent write that does not check: each row with values for its required arguments alone, each
 * column and each relation. Unlike `differences`, without the teaching mode of the check, in which `$` stands for a
 * value and an argument may be missing.
 */
export function refused(catalog: Catalog): readonly string[] {
  const { digest } = pin(catalog)
  const names = catalog.entities.filter(({ abstract }) => !abstract).map(({ name }) => name)
  const picks = [{ catalog: catalog.id, digest, lens: 'all' as const, entities: names.toSorted() }]
  const waves: readonly Wave[] = [{ revision: 1, generation: 1, picks }]
  const model = () => catalog
  const spaceOf = (some: readonly Wave[]) => symbolSpace(some, model)
  const allows = () => true
  const entities = readTable(teachingTable({ waves, taughtRevision: 0, spaceOf, model, allows }))
  const scope = { space: spaceOf(waves), model, allows, ref: 's0' }
  const writer = new Writer(catalog, entities)
  return entities.flatMap((entity) =>
    writer.programs(entity).flatMap((text) => {
      const read = readProgram(text, scope)
      return read.ok ? [] : [`${text}: ${read.problems.map(({ message }) => message).join(' ')}`]
    }),
  )
}

/** Writes programs from a table, with keys as the catalog has them. */
class Writer {
  readonly #catalog: Catalog
  readonly #entities: readonly ReadEntity[]

  constructor(catalog: Catalog, entities: readonly ReadEntity[]) {
    this.#catalog = catalog
    this.#entities = entities
  }

  programs(entity: ReadEntity): readonly string[] {
    const rows = entity.rows
      .filter(({ expression, result }) => result !== undefined || isGet(expression))
      .map((row) => this.#filled(row))
    const asking = entity.rows.flatMap(({ expression }) => relationIn(expression) ?? [])
    const read = entity.rows.find(
      ({ expression, result }) =>
        isGet(expression) || (result?.startsWith('[') === true && relationIn(expression) === undefined),
    )
    if (!read) return rows
    const { fields = [] } = this.#catalog.entities.find(({ name }) => name === entity.name) ?? {}
    const head = this.#filled(read)
    const columns = entity.slots.flatMap(({ name }) => {
      if (asking.includes(name)) return []
      const isField = /^p\d+$/.test(name) || fields.some((field) => field.name === name)
      return isField ? `${head}[${name}]` : `${head}.${name}`
    })
    return [...rows, ...columns]
  }

  /** The row's expression with a value for each hole. */
  #filled({ expression, required }: ReadRow): string {
    const start = opener(expression)
    if (isGet(expression)) return this.#byKey(expression.slice(0, start))
    let inside = expression.slice(start)
    for (const { name, type } of required) {
      const [value = ''] = valuesOf(type, this.#entities)
      inside = inside.replace(new RegExp(`(?<=[({,]${name}=)(?:e\\d+\\(\\$\\)|\\$)`), () => value)
    }
    return (expression.slice(0, start) + inside)
      .replace('~$', '~"some text"')
      .replaceAll(/(e\d+)\(\$\)/g, (_, symbol: string) => this.#byKey(symbol))
      .replaceAll(/=\$/g, '="k"')
  }

  /** `e1("k")`, `e1(owner="k", number=3)` */
  #byKey(symbol: string): string {
    const entity = this.#entities.find((one) => one.symbol === symbol)
    const found = this.#catalog.entities.find(({ name }) => name === entity?.name)
    const key = found?.key ?? []
    const fields = found && fieldsOf(found)
    const parts = key.map((name) => {
      const kind = fields?.get(name)?.type.kind
      const type = kind === 'reference' ? 'str' : entity?.slots.find((slot) => slot.name === name)?.type
      const value = valuesOf(type ?? 'str', this.#entities)[0] ?? '"k"'
      return key.length === 1 ? value : `${name}=${value}`
    })
    return `${symbol}(${parts.join(', ')})`
  }
}
