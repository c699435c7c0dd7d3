import { exec, type JsonValue } from 'jsonpath-rfc9535'
import type { Json } from '../../../../base/canonical.ts'
import { isList, isRecord, recordOf } from '../../../../base/json.ts'

/** Keys and indexes from the document to a value. */
export type Place = readonly (string | number)[]

/** The places that a JSONPath (RFC 9535) selects, in their order, each once; undefined if it is none. */
export function placesOf(document: Json, path: string): readonly Place[] | undefined {
  const found = new Map<string, Place>()
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library's JSON is mutable; it changes nothing
    exec(document as JsonValue, path, (_, steps) => {
      const place = steps.map((step) => (typeof step === 'number' ? step : plainKey(step)))
      found.set(JSON.stringify(place), place)
    })
    return [...found.values()]
  } catch {
    return undefined
  }
}

/** The library gives keys as normalized paths write them: `it\'s` is `it's`. */
function plainKey(normalized: string): string {
  if (!normalized.includes('\\')) return normalized
  const text: unknown = JSON.parse(`"${normalized.replaceAll("\\'", "'").replaceAll('"', '\\"')}"`)
  return String(text)
}

/** The document with another value at a place that it has. */
export function withValueAt(document: Json, [step, ...rest]: Place, value: Json): Json {
  if (step === undefined) return value
  if (isList(document))
    return document.map((held, index) => (index === step ? withValueAt(held, rest, value) : held))
  if (!isRecord(document)) return document
  return recordOf(
    Object.entries(document).map(([key, held]) => [
      key,
      key === step ? withValueAt(held, rest, value) : held,
    ]),
  )
}

/** The document without what is at a place. */
export function withoutAt(document: Json, [step, ...rest]: Place): Json {
  const isHere = rest.length === 0
  if (isList(document))
    return document.flatMap((held, index) =>
      index !== step ? [held] : isHere ? [] : [withoutAt(held, rest)],
    )
  if (!isRecord(document)) return document
  return recordOf(
    Object.entries(document).flatMap(([key, held]) =>
      key !== step ? [[key, held] as const] : isHere ? [] : [[key, withoutAt(held, rest)] as const],
    ),
  )
}
