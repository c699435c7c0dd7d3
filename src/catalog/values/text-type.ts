import type { Type } from '../model.ts'

/** The type of a text of this JSON Schema format; undefined where the format says nothing of the type. */
export function textTypeOf(format: unknown): Type | undefined {
  switch (format) {
    case 'date-time':
      return { kind: 'date', format: 'rfc3339' }
    case 'date':
      return { kind: 'date', format: 'iso8601_date' }
    case 'uuid':
      return { kind: 'uuid' }
    default:
      return undefined
  }
}
