import { reasonOf } from '../../../../base/errors.ts'
import type { Json } from '../../../../base/canonical.ts'
import { child, isRecord } from '../../../../base/json.ts'
import type { Notes } from '../../document/notes.ts'
import { jsonOf, readTree } from '../../document/tree.ts'
import type { SourceFile } from '../../reader.ts'
import { openapiProblem } from '../problems.ts'

/** YAML is parsed far more slowly than JSON. */
const MAX_YAML_BYTES = 8 * 1024 * 1024
/** The deepest nesting of a document; real ones stay under 60. */
const DEEPEST = 200

/** The text as JSON; undefined with the problems noted if it is neither JSON nor YAML, or beyond the limits. */
export function documentOf({ file, text }: SourceFile, notes: Notes): Json | undefined {
  const value = /^\s*\{/.test(text) ? fromJson(file, text, notes) : fromYaml(file, text, notes)
  if (value === undefined) return undefined
  if (isDeeper(value, DEEPEST)) {
    notes.error(openapiProblem('openapi_too_deep', { most: DEEPEST }, { file }))
    return undefined
  }
  return value
}

function fromJson(file: string, text: string, notes: Notes): Json | undefined {
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch (error) {
    const detail = reasonOf(error).slice(0, 200)
    notes.error(openapiProblem('openapi_json', { detail }, { file }))
    return undefined
  }
}

function fromYaml(file: string, text: string, notes: Notes): Json | undefined {
  if (text.length > MAX_YAML_BYTES) {
    const params = { bytes: text.length, most: MAX_YAML_BYTES }
    notes.error(openapiProblem('openapi_yaml_too_large', params, { file }))
    return undefined
  }
  const tree = readTree(file, text, notes)
  return tree && notes.errors.length === 0 ? jsonOf(tree) : undefined
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some((held: Json) => isDeeper(held, levels - 1))
}

/** `2.0`, `3.1.0`; undefined if it is no OpenAPI document. */
export function versionOf(document: Json): string | undefined {
  const said = child(document, 'openapi') ?? child(document, 'swagger')
  return isRecord(document) && (typeof said === 'string' || typeof said === 'number')
    ? String(said)
    : undefined
}
