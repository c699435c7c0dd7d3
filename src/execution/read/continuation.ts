import type { ExactJson, Json } from '../../base/canonical.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { PinnedCatalog } from '../../catalog/digest.ts'
import type { Capability, Type } from '../../catalog/model.ts'
import { keptJson, parseExact } from '../../catalog/values/exact.ts'
import type { KnownFilter } from './filter.ts'
import type { Continuation } from '../outcome.ts'
import { entityNameOf, type Invocation } from '../invocation.ts'
import { child, isList, isRecord, recordOf } from '../../base/json.ts'
import type { Reading } from '../reading.ts'

/** The state from which a later call continues a read, as plain data: arguments, filters and position, no credential. */
export function continuationOf(reading: Reading, place: object): Continuation {
  const { capability, arguments: given } = reading.invocation
  return {
    entity: entityNameOf(reading.invocation),
    capability: capability.name,
    state: {
      arguments: recordOf([...given].map(([name, value]) => [name, keptJson(value)] as const)),
      filters: reading.filters.map((filter) => plain(filter)),
      page: plain(place),
      ...(reading.needs && { needs: reading.needs }),
      ...(reading.whole && { whole: true }),
      ...(reading.pageSize !== undefined && { pageSize: reading.pageSize }),
    },
  }
}

/** A state is plain data already; this converts its type and drops undefined values. */
function plain(value: object): Json {
  const copy: Json = JSON.parse(JSON.stringify(value))
  return copy
}

/** The read of a continuation; undefined if its state is invalid. */
export function resume(
  { capability: name, state }: Continuation,
  pinned: PinnedCatalog,
): Reading | undefined {
  const { capabilities } = indexOf(pinned.catalog)
  const capability = capabilities.get(name)
  const [page, given, filters, needs, whole, pageSize] = [
    'page',
    'arguments',
    'filters',
    'needs',
    'whole',
    'pageSize',
  ].map((key) => child(state, key))
  if (!capability || !isRecord(page) || !isRecord(given) || !isList(filters)) return undefined
  const known = filters.map(readFilter)
  // Without a condition the read would give rows outside the query.
  if (!known.every((filter) => filter !== undefined)) return undefined
  return {
    invocation: { pinned, capability, arguments: argumentsOf(capability, given) },
    filters: known,
    wanted: typeof pageSize === 'number' ? pageSize : 0,
    place: page,
    ...(isList(needs) && { needs: needs.filter((one) => typeof one === 'string') }),
    ...(whole === true && { whole }),
    ...(typeof pageSize === 'number' && { pageSize }),
  }
}

/** Kept arguments; of a slot for JSON, kept text is the JSON that it was. */
function argumentsOf(
  capability: Capability,
  given: { readonly [key: string]: Json },
): Invocation['arguments'] {
  const types = new Map(capability.parameters.map(({ name, type }) => [name, type]))
  return new Map(
    Object.entries(given).map(([name, value]): [string, ExactJson] => {
      const isText = typeof value === 'string' && types.get(name)?.kind === 'json'
      return [name, (isText ? parseExact(value) : undefined) ?? value]
    }),
  )
}

const OPERATORS = ['=', '!=', '<', '<=', '>', '>=', '~'] as const

/** A kept condition. */
function readFilter(filter: Json): KnownFilter | undefined {
  const [path, operator, type, value, oneOf] = ['path', 'operator', 'type', 'value', 'oneOf'].map((key) =>
    child(filter, key),
  )
  const known = OPERATORS.find((one) => one === operator)
  if (!isList(path) || !known || !isRecord(type) || value === undefined) return undefined
  return {
    path: path.filter((part) => typeof part === 'string'),
    operator: known,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `continuationOf` writes it
    type: type as Json as Type,
    value,
    ...(oneOf === true && { oneOf }),
  }
}
