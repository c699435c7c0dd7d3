import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from './server.ts'
import type { Contest } from './measure.ts'

const ENTITIES = 24
const TIMES = 10
/** Entities that a session picks: other ones than the session before it. */
const PICKS = 3

/** A catalog whose entities each have a query and a get, and refer to the next one. */
function domain(id: string, entities: number): string {
  const names = Array.from({ length: entities }, (_, index) => index)
  return `version: 1
entry_id: ${id}
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  state: { type: select, allowed_values: [open, closed, archived] }
${names.map((n) => `  thing${n}_ref: { type: entity_ref, target: Thing${n} }`).join('\n')}
entities:
${names
  .map(
    (n) => `  Thing${n}:
    description: Thing number ${n}
    id_field: id
    fields:
      id: { value_ref: text, required: true }
      title: { value_ref: text }
      state: { value_ref: state }
      next: { value_ref: thing${(n + 1) % entities}_ref }`,
  )
  .join('\n')}
capabilities:
${names
  .map(
    (n) => `  thing${n}_query: { description: Things ${n}, kind: query, entity: Thing${n} }
  thing${n}_get: { description: One thing ${n}, kind: get, entity: Thing${n} }`,
  )
  .join('\n')}
`
}

function mappings(entities: number): string {
  return Array.from(
    { length: entities },
    (_, n) => `thing${n}_query:
  method: GET
  path: [{ type: literal, value: things${n} }]
  response: { items: items }
thing${n}_get:
  method: GET
  path: [{ type: literal, value: things${n} }, { type: var, name: id }]
`,
  ).join('')
}

/** Opening sessions on a catalog, in process, against the same on a catalog with a tenth of its entities. */
export async function largeCatalog(): Promise<Contest> {
  const folder = await mkdtemp(join(tmpdir(), 'plasmid-large-'))
  const sizes = { small: ENTITIES, large: ENTITIES * TIMES }
  for (const [id, entities] of Object.entries(sizes)) {
    await mkdir(join(folder, id))
    await writeFile(join(folder, id, 'domain.yaml'), domain(id, entities))
    await writeFile(join(folder, id, 'mappings.yaml'), mappings(entities))
  }
  const catalogs = Object.keys(sizes).map((id) => join(folder, id))
  const server = await startServer('memory', { catalogs })
  let rounds = 0
  const open = (api: string) => async (calls: number) => {
    // The sessions of a principal are capped: each round has its own.
    const subject = `round ${rounds++}`
    const caller = {
      ...server.caller,
      principal: [...server.caller.principal, subject],
      tenantScope: [...server.caller.tenantScope, subject],
    }
    for (let call = 0; call < calls; call++) {
      const picked = Array.from({ length: PICKS }, (_, pick) => (call + pick * 7) % ENTITIES)
      const seeds = picked.map((n) => ({ api, entity: `Thing${n}` }))
      const opened = await server.gateway.context(caller, { intent: `Bench ${call}`, seeds })
      if (!opened.ok) throw new Error(opened.text.slice(0, 300))
    }
  }
  return {
    ours: open('large'),
    base: open('small'),
    bound: 1.1,
    close: async () => {
      await server.close()
      await rm(folder, { recursive: true })
    },
  }
}
