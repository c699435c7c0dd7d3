import type { ExactJson, Json } from '../../base/canonical.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { indexOf, keySlotsOf } from '../../catalog/lookup.ts'
import type { Catalog, Slot } from '../../catalog/model.ts'
import { exactNumber } from '../../catalog/values/exact.ts'
import { coerce, describeValue } from '../../catalog/values/value.ts'
import type { Argument, Filter, Operand } from '../../language/plan/plan.ts'
import type { KnownFilter } from './filter.ts'
import { digitsAsText, isList, recordOf } from '../../base/json.ts'
import { type LiveRow, rowValue } from '../row.ts'
import { problem, type Where } from '../problems.ts'
import { asText } from '../http/request/text.ts'
import type { Run } from '../run.ts'
import type { CallContext } from '../source.ts'

/** The sources of operands: the finished nodes, and the row under `_`. */
export interface ValueSources {
  readonly run: Run
  readonly cursor?: LiveRow
}

/** The value of an operand, or the reason why it has none. */
export function valueOf(operand: Operand, sources: ValueSources): Result<ExactJson> {
  switch (operand.kind) {
    case 'literal':
      return ok(operand.value)
    case 'node': {
      const found = singleRow(sources.run, operand.node, operand.text)
      return found.ok ? fieldOf(found.value, operand.path, operand.text) : found
    }
    case 'cursor':
      if (!sources.cursor) throw new Error('`_` outside an each')
      return fieldOf(sources.cursor, operand.path, operand.text)
    case 'text': {
      const parts = all(
        operand.parts.map((part) =>
          typeof part === 'string' ? ok<ExactJson>(part) : valueOf(part, sources),
        ),
      )
      return parts.ok ? ok(parts.value.map(asText).join('')) : parts
    }
    case 'list':
      return all(operand.items.map((item) => valueOf(item, sources)))
    case 'record': {
      const values = all(operand.entries.map(([, held]) => valueOf(held, sources)))
      return values.ok
        ? ok(recordOf(operand.entries.map(([key], index) => [key, values.value[index] ?? null])))
        : values
    }
    case 'integer': {
      const held = valueOf(operand.value, sources)
      return held.ok && typeof held.value === 'string' ? ok(exactNumber(held.value)) : held
    }
  }
}

/** The single row of a node, for a hole. */
export function singleRow(run: Run, node: string, text: string): Result<LiveRow> {
  const rows = run.tables.get(node)?.rows ?? []
  const source = run.nameOf(node)
  const [row] = rows
  if (!row) return failed([problem('hole_empty', { text, source })])
  return rows.length === 1 ? ok(row) : failed([problem('hole_many', { text, source, count: rows.length })])
}

function fieldOf(row: LiveRow, path: readonly string[], text: string): Result<Json> {
  const value = rowValue(row, path)
  if (value !== undefined) return ok(value)
  const columns = Object.keys(row.values)
  const [only] = columns
  // A computed row with one column is used as its value.
  if (path.length === 0 && columns.length === 1 && only !== undefined) return ok(row.values[only] ?? null)
  if (path.length === 0) return failed([problem('hole_no_identity', { text })])
  return failed([problem('hole_no_field', { text, field: path.join('.'), fields: columns.slice(0, 20) })])
}

function all(results: readonly Result<ExactJson>[]): Result<readonly ExactJson[]> {
  const problems = results.flatMap((result) => (result.ok ? [] : result.problems))
  return problems.length > 0
    ? failed(problems)
    : ok(results.flatMap((result) => (result.ok ? [result.value] : [])))
}

/** The arguments of a call by name: filled, and checked against their types before anything is sent. */
export function fillArguments(
  given: readonly Argument[],
  catalog: Catalog,
  where: Where,
  sources: ValueSources,
): Result<ReadonlyMap<string, ExactJson>> {
  const values = new Map<string, ExactJson>()
  const problems: Problem[] = []
  for (const argument of given) {
    const found = valueOf(argument.operand, sources)
    const checked = found.ok ? checkedValue(argument, found.value, { catalog, where, ...sources }) : found
    if (checked.ok) values.set(argument.name, checked.value)
    else problems.push(...checked.problems)
  }
  return problems.length > 0 ? failed(problems) : ok(values)
}

interface ValuePlace {
  readonly catalog: Catalog | undefined
  readonly where: Where
  readonly run: Pick<CallContext, 'world'>
}

/** Checks a value against the type of its slot again: values of holes are only known at run time. */
export function checkedValue(
  slot: Pick<Argument, 'name' | 'type'>,
  value: ExactJson,
  { catalog, where, run }: ValuePlace,
): Result<ExactJson> {
  if (value === null) return ok(null)
  const fitted = coerce(slot.type, value, {
    now: run.world.clock.now(),
    keyOf: (entity) => catalog && keySlots(catalog, entity),
  })
  if (fitted.ok) return ok(fitted.value)
  const name =
    fitted.path === '' ? slot.name : `${slot.name}${fitted.path.startsWith('[') ? '' : '.'}${fitted.path}`
  const params = {
    ...where,
    name,
    expected: fitted.expected,
    found: isList(value) ? describeValue(value) : fitted.actual,
  }
  return failed([
    problem('computed_value_mismatch', params, fitted.nearest ? { nearest: fitted.nearest } : {}),
  ])
}

/** The slots that identify an entity, in order. */
function keySlots(catalog: Catalog, name: string): readonly Slot[] | undefined {
  const entity = indexOf(catalog).entities.get(name)
  return entity && keySlotsOf(entity)
}

/** An identity from filled arguments: text by key slot, or undefined if there are none. */
export function identityOf(
  values: ReadonlyMap<string, ExactJson>,
): Readonly<Record<string, string>> | undefined {
  return values.size === 0
    ? undefined
    : Object.fromEntries([...values].map(([name, value]) => [name, asText(value)] as const))
}

/** Conditions with the values of their operands. */
export function knownFilters(
  filters: readonly Filter[],
  catalog: Catalog | undefined,
  where: Where,
  sources: ValueSources,
): Result<readonly KnownFilter[]> {
  const known: KnownFilter[] = []
  const problems: Problem[] = []
  for (const { path, operator, type, operand, oneOf } of filters) {
    const found = valueOf(operand, sources)
    // `~` matches a part of the value, which need not be a valid value of the type. In JSON, text is a value.
    const isAny = operator === '~' || type.kind === 'json'
    const slot = { name: path.join('.'), type }
    const items = oneOf && found.ok && isList(found.value) ? found.value : undefined
    const checked = items
      ? all(
          items.map((item) => (isAny ? ok(item) : checkedValue(slot, item, { catalog, where, ...sources }))),
        )
      : found.ok && !isAny
        ? checkedValue(slot, found.value, { catalog, where, ...sources })
        : found
    if (checked.ok)
      known.push({ path, operator, type, value: digitsAsText(checked.value), ...(oneOf && { oneOf }) })
    else problems.push(...checked.problems)
  }
  return problems.length > 0 ? failed(problems) : ok(known)
}
