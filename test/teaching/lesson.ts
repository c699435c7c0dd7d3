import { pin } from '../../src/catalog/digest.ts'
import { textParameter } from '../../src/catalog/lookup.ts'
import type { Capability, Catalog, Parameter } from '../../src/catalog/model.ts'
import { check } from '../../src/language/check/check.ts'
import type { CheckedNode } from '../../src/language/check/model/checked.ts'
import type { Scope } from '../../src/language/check/model/scope.ts'
import { parse } from '../../src/language/syntax/parse.ts'
import { symbolSpace } from '../../src/session/exposure.ts'
import type { Wave } from '../../src/session/record.ts'
import { teachingTable } from '../../src/teaching/table.ts'
import { isGet, opener, readTable, type ReadEntity, type ReadRow, relationIn } from './reading.ts'
import { othersOf, valuesOf } from './samples.ts'
import { type Allows, argumentThing, thingsIn, usable } from './things.ts'

/** A catalog, a session that was taught it whole, and what its table says. */
class Lesson {
  readonly catalog: Catalog
  readonly entities: readonly ReadEntity[]
  /** What the table lets an agent write, a line each. */
  readonly things: string[] = []
  /** What it lets an agent write that does not check, or that means something else. */
  readonly wrong: string[] = []
  readonly #scope: Scope
  readonly #allows: Allows

  constructor(catalog: Catalog, allows: Allows) {
    const { digest } = pin(catalog)
    const names = catalog.entities.filter(({ abstract }) => !abstract).map(({ name }) => name)
    const picks = [{ catalog: catalog.id, digest, lens: 'all' as const, entities: names.toSorted() }]
    const waves: readonly Wave[] = [{ revision: 1, generation: 1, picks }]
    const model = () => catalog
    const spaceOf = (some: readonly Wave[]) => symbolSpace(some, model)
    this.catalog = catalog
    this.#allows = allows
    this.entities = withShownTypes(
      readTable(teachingTable({ waves, taughtRevision: 0, spaceOf, model, allows })),
    )
    this.#scope = { space: spaceOf(waves), model, allows, ref: 's0' }
    for (const entity of this.entities) this.#entity(entity)
  }

  #entity(entity: ReadEntity): void {
    this.things.push(`entity ${entity.name}`)
    // What nothing can be done with is only met inside of others: its row says what it is.
    const rows = usable(this.catalog, entity.name, this.#allows).length === 0 ? [] : entity.rows
    const read = rows.find(
      ({ expression, result }) =>
        result?.startsWith('write') !== true && relationIn(expression) === undefined,
    )
    for (const { name, type } of entity.slots) {
      this.things.push(`${entity.name}.${this.#wire(name)} ${type}`)
      if (!read) continue
      // What a relation leads to is no column.
      if (!this.#isRelation(entity, name)) this.#written(`${asRows(read.expression)}[${name}]`)
      if (this.#isStep(entity, name, type)) this.#written(`${asRows(read.expression)}.${name}`)
    }
    for (const row of rows) this.#row(entity, row)
  }

  /** Relations lead on, and references to what can be got by its key. */
  #isStep(entity: ReadEntity, name: string, type: string): boolean {
    const target = this.entities.find((one) => one.name === /^\[?ref (\w+)/.exec(type)?.[1])
    if (!target) return false
    return this.#isRelation(entity, name) || target.rows.some(({ expression }) => isGet(expression))
  }

  #isRelation(entity: ReadEntity, name: string): boolean {
    const { fields = [], relations = [] } =
      this.catalog.entities.find((one) => one.name === entity.name) ?? {}
    return relations.some((one) => one.name === name) && !fields.some((one) => one.name === name)
  }

  #row(entity: ReadEntity, row: ReadRow): void {
    const { expression, result = entity.symbol } = row
    const capability = capabilityOf(this.#written(asRows(expression)))
    // A relation that needs arguments is a slot of its entity.
    if (!capability || relationIn(expression) !== undefined) return
    const name = (symbol: string) => this.entities.find((one) => one.symbol === symbol)?.name ?? symbol
    this.things.push(`${capability.name} gives ${result.replace(/e\d+/, name)}`)
    // The key of a get is that of the entity.
    const required = isGet(expression) ? [] : row.required
    for (const slot of [...required, ...row.optional]) {
      const parameter = this.#parameter(capability, slot.name)
      this.things.push(
        parameter ? argumentThing(capability, parameter, slot.type) : `${capability.name} takes ${slot.name}`,
      )
      const isOptional = row.optional.includes(slot)
      const withValue = (value: string) =>
        isOptional ? added(expression, `${slot.name}=${value}`) : filled(expression, slot.name, value)
      for (const value of valuesOf(slot.type, this.entities)) {
        const found = capabilityOf(this.#written(asRows(withValue(value))))
        if (found && found !== capability) this.wrong.push(`${withValue(value)} is ${found.name}`)
      }
      for (const value of othersOf(slot.type))
        if (this.#checked(withValue(value))) this.wrong.push(`${withValue(value)} checks`)
    }
  }

  #parameter(capability: Capability, name: string): Parameter | undefined {
    if (name === '~') return textParameter(capability)
    return capability.parameters.find((parameter) => parameter.name === this.#wire(name))
  }

  /** What a `p#` stands for. */
  #wire(name: string): string {
    const meaning = /^p\d+$/.test(name) ? this.#scope.space.meaning(name) : undefined
    return meaning?.kind === 'slot' ? meaning.slot : name
  }

  #written(text: string): CheckedNode | undefined {
    const node = this.#checked(text)
    if (!node) this.wrong.push(text)
    return node
  }

  #checked(text: string): CheckedNode | undefined {
    const { program, problems } = parse(text)
    const { checked, problems: more } = check(program, this.#scope, { teaching: true })
    return problems.length + more.length > 0 ? undefined : checked.roots[0]?.node
  }
}

/** A long type is written once: `(as in e23)` is the type that the slot of this name has in the rows of e23. */
function withShownTypes(entities: readonly ReadEntity[]): readonly ReadEntity[] {
  const written = (symbol: string | undefined, name: string) => {
    const { slots = [], rows = [] } = entities.find((one) => one.symbol === symbol) ?? {}
    const all = [...slots, ...rows.flatMap(({ required, optional }) => [...required, ...optional])]
    return all.find((slot) => slot.name === name && !SHOWN.test(slot.type))?.type
  }
  const whole = <Slot extends { readonly name: string; readonly type: string }>(slot: Slot): Slot => {
    const type = written(SHOWN.exec(slot.type)?.[1], slot.name)
    return type === undefined ? slot : { ...slot, type }
  }
  return entities.map((entity) => ({
    ...entity,
    rows: entity.rows.map((row) => ({
      ...row,
      required: row.required.map(whole),
      optional: row.optional.map(whole),
    })),
  }))
}

const SHOWN = /\(as in (e\d+)\)/

/** An entity alone is all of its rows: in a table it may only say what the entity is. */
function asRows(expression: string): string {
  return /^e\d+$/.test(expression) ? `${expression}{}.limit(1)` : expression
}

/** The expression with one more argument. */
function added(expression: string, argument: string): string {
  if (opener(expression) === expression.length) return `${expression}{${argument}}`
  const isEmpty = opener(expression) === expression.length - 2
  return `${expression.slice(0, -1)}${isEmpty ? '' : ', '}${argument}${expression.slice(-1)}`
}

/** The expression with a value for one of its holes. */
function filled(expression: string, name: string, value: string): string {
  const isText = name === '~'
  const at = isText ? expression.indexOf('~') : expression.indexOf(`${name}=`, opener(expression))
  const hole = isText ? /~\$/ : /=(?:e\d+\(\$\)|\$)/
  return expression.slice(0, at) + expression.slice(at).replace(hole, () => `${isText ? '~' : '='}${value}`)
}

/** What a step calls, or whatever it takes its rows from. */
function capabilityOf(node: CheckedNode | undefined): Capability | undefined {
  if (!node || 'capability' in node) return node?.capability
  return 'source' in node ? capabilityOf(node.source) : undefined
}

/** What the table of a catalog lacks, what it invents, and what it lets an agent write that does not check. */
export function differences(catalog: Catalog, allows: Allows = () => true) {
  const there = thingsIn(catalog, allows)
  const { things, wrong } = new Lesson(catalog, allows)
  const [known, taught] = [new Set(there), new Set(things)]
  return {
    missing: there.filter((thing) => !taught.has(thing)),
    invented: things.filter((thing) => !known.has(thing)),
    wrong,
  }
}

export const NONE = { missing: [], invented: [], wrong: [] }
