import type { Capability, ServedCatalog } from '../../../../src/catalog/model.ts'
import { type PlasmSource, readPlasm } from '../../../../src/catalog/readers/plasm/read.ts'
import type { Reading } from '../../../../src/catalog/source.ts'

/** A catalog with one entity and one get; the texts given replace its parts. */
export interface Parts {
  readonly top?: string
  readonly values?: string
  readonly entities?: string
  readonly capabilities?: string
  readonly mappings?: string
}

/** Reads a small catalog. Parts are indented as they stand in the file: two blanks in `values` and so on. */
export function readSmall(parts: Parts = {}, more: Pick<PlasmSource, 'abi'> = {}): Reading {
  const domain = `http_backend: https://api.example
${parts.top ?? ''}
values:
  text: { type: string, string_semantics: short }
${parts.values ?? ''}
entities:
  Note:
    fields:
      id: { value_ref: text }
      title: { value_ref: text }
${parts.entities ?? ''}
capabilities:
  note_get: { kind: get, entity: Note }
${parts.capabilities ?? ''}
`
  const mappings = `note_get: { method: GET, path: [{ type: literal, value: notes }, { type: var, name: id }] }
${parts.mappings ?? ''}
`
  return readPlasm({
    path: 'small',
    id: 'small',
    domain: { file: 'domain.yaml', text: domain },
    mappings: { file: 'mappings.yaml', text: mappings },
    ...more,
  })
}

/** The model, where the reading has one; else fails with what is wrong. */
export function modelOf(reading: Reading): ServedCatalog {
  if (reading.catalog) return reading.catalog
  throw new Error(reading.errors.map(({ line, message }) => `${line}: ${message}`).join('\n'))
}

/** One capability of a small catalog: its `domain` row and its template. */
export function readCapabilityText(row: string, template: string, parts: Parts = {}): Capability {
  const reading = readSmall({ ...parts, capabilities: `  it: ${row}`, mappings: `it: ${template}` })
  const capability = modelOf(reading).capabilities.find(({ name }) => name === 'it')
  if (!capability) throw new Error('the capability is missing')
  return capability
}

/** Code and line of each problem. */
export function briefly(problems: Reading['errors']): string[] {
  return problems.map(({ code, file, line, nearest }) =>
    [`${code} ${file}:${line}`, ...(nearest ?? [])].join(' '),
  )
}
