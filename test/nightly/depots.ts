import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readPlasm } from '../../src/catalog/readers/plasm/read.ts'
import type { ServedCatalog } from '../../src/catalog/model.ts'

/*
 * Catalogs whose rows say themselves what they mean: catalog, entity and edition stand in each description, and the same
 * three in the names of the capabilities, so that what a symbol was said to mean can be compared with what it runs.
 */

export const GOODS: readonly string[] = [
  'Anvil',
  'Barrel',
  'Crate',
  'Drum',
  'Easel',
  'Flask',
  'Girder',
  'Hinge',
]

/** So many goods of each kind: `Anvil1`, `Barrel1`, …, `Hinge9`. */
export function goodsOf(each: number): readonly string[] {
  return Array.from({ length: each }, (_, index) => GOODS.map((good) => `${good}${index + 1}`)).flat()
}

/** One catalog: its id, its goods, and the edition that it is in. */
export interface Depot {
  readonly id: string
  readonly edition: number
  readonly goods?: readonly string[]
  readonly origin?: string
}

function domainOf({ id, edition, goods = GOODS, origin = 'https://depot.example' }: Depot): string {
  const entities = goods.map(
    (name) => `  ${name}:
    description: ${meaningOf(id, name, edition)}
    id_field: id
    fields:
      id: { value_ref: key, required: true }
      label: { value_ref: label }
      state: { value_ref: state }
      weight: { value_ref: weight }
      arrived_on: { value_ref: day }
      beside: { value_ref: ${beside(name, goods).toLowerCase()} }
`,
  )
  const capabilities = goods.map((name) => {
    const at = `${name.toLowerCase()}_`
    return `  ${at}query_${edition}: { description: List, kind: query, entity: ${name} }
  ${at}get: { description: Fetch one, kind: get, entity: ${name} }
  ${at}touch: { description: Touch one, kind: action, entity: ${name}, output: { type: side_effect, description: Touched } }
`
  })
  return `version: ${edition}
entry_id: ${id}
http_backend: ${origin}
auth: { scheme: none }
values:
  key: { type: string, string_semantics: short }
  label: { type: string, string_semantics: short }
  state: { type: select, allowed_values: [expected, stored, reserved, gone] }
  weight: { type: number, description: Weight in kilograms }
  day: { type: date, value_format: iso8601_date }
${goods.map((name) => `  ${name.toLowerCase()}: { type: entity_ref, target: ${name} }\n`).join('')}entities:
${entities.join('')}capabilities:
${capabilities.join('')}`
}

/** Rows name other entities: the good that comes next stands beside each. */
function beside(name: string, goods: readonly string[]): string {
  return goods[(goods.indexOf(name) + 1) % goods.length] ?? name
}

function mappingsOf({ edition, goods = GOODS }: Depot): string {
  return goods
    .map((name) => {
      const at = name.toLowerCase()
      const path = `{ type: literal, value: ${at} }`
      return `${at}_query_${edition}:
  method: GET
  path: [${path}]
  response: bare_list
${at}_get:
  method: GET
  path: [${path}, { type: var, name: id }]
${at}_touch:
  method: POST
  path: [${path}, { type: var, name: id }, { type: literal, value: ${touchIn(edition)} }]
`
    })
    .join('')
}

/** The last part of the path of a touch: another one in each edition, so that none is sent for another. */
export function touchIn(edition: number): string {
  return edition === 1 ? 'touch' : `touch-${edition}`
}

/** What the table says of an entity: `north Anvil edition 1`. */
export function meaningOf(id: string, name: string, edition: number): string {
  return `${id} ${name} edition ${edition}`
}

/** The catalog in memory, read as the server reads it. */
export function depot(options: Depot): ServedCatalog {
  const reading = readPlasm({
    path: options.id,
    id: options.id,
    domain: { file: 'domain.yaml', text: domainOf(options) },
    mappings: { file: 'mappings.yaml', text: mappingsOf(options) },
  })
  if (!reading.catalog || reading.warnings.length > 0) throw new Error(JSON.stringify(reading, null, 2))
  return reading.catalog
}

/** The catalog as a folder, for servers of their own; gives its path. */
export async function writeDepot(folder: string, options: Depot): Promise<string> {
  const path = join(folder, options.id)
  await mkdir(path, { recursive: true })
  await writeFile(join(path, 'domain.yaml'), domainOf(options))
  await writeFile(join(path, 'mappings.yaml'), mappingsOf(options))
  return path
}
