import type { ExactJson } from '../../../base/canonical.ts'
import { jsonText, scalarText } from '../../../base/json.ts'

/** A value inside text: scalars as they are, lists and objects as JSON. */
export function asText(value: ExactJson): string {
  return value === null ? '' : (scalarText(value) ?? jsonText(value))
}
