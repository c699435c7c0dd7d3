import { fetch } from 'undici'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from './server.ts'
import type { Contest } from './measure.ts'

const PAGES = 20
const ROWS = 1000

const DOMAIN = `version: 1
entry_id: paged
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  prose: { type: string, string_semantics: markdown }
  state: { type: select, allowed_values: [open, closed] }
  count: { type: integer }
  day: { type: date, value_format: rfc3339 }
entities:
  Item:
    description: An item
    id_field: id
    fields:
      id: { value_ref: text, required: true }
      title: { value_ref: text }
      state: { value_ref: state }
      amount: { value_ref: count }
      created_at: { value_ref: day }
      author: { value_ref: text }
      body: { value_ref: prose }
capabilities:
  item_query: { description: All items, kind: query, entity: Item, provides: [id, title, state, amount, created_at, author, body] }
`
const MAPPINGS = `item_query:
  method: GET
  path: [{ type: literal, value: items }]
  pagination: { params: { page: { counter: 1 } } }
  response: { items: items }
`

/**
 * Twenty pages of fifty rows of a kilobyte, checked, decoded, printed and kept as a snapshot, against fetching and parsing
 * the same pages.
 */
export async function paging(): Promise<Contest> {
  const api = fork(fileURLToPath(new URL('./paged-api.js', import.meta.url)))
  const [address] = await once(api, 'message')
  const url = `http://127.0.0.1:${String(address.port)}`
  const folder = await mkdtemp(join(tmpdir(), 'plasmid-paged-'))
  await writeFile(join(folder, 'domain.yaml'), DOMAIN)
  await writeFile(join(folder, 'mappings.yaml'), MAPPINGS)
  const server = await startServer('memory', { catalogs: [folder], backends: { paged: url } })
  const { gateway } = server
  const { signal } = new AbortController()
  let rounds = 0
  return {
    ours: async (calls) => {
      // Snapshots of a principal are capped: each round has its own.
      const subject = `round ${rounds++}`
      const caller = {
        ...server.caller,
        principal: [...server.caller.principal, subject],
        tenantScope: [...server.caller.tenantScope, subject],
      }
      const seeds = [{ api: 'paged', entity: 'Item' }]
      const opened = await gateway.context(caller, { intent: 'Bench: all items', seeds })
      const ref = opened.ok ? opened.facts.logicalSessionRef : ''
      for (let call = 0; call < calls; call++) {
        const program = `Item.limit(${ROWS})`
        const ran = await gateway.run(caller, { logical_session_ref: ref, program }, { signal })
        const [root] = ran.ok ? ran.facts.results : []
        if (root?.rows.length !== ROWS || root.snapshot === undefined) throw new Error(ran.text.slice(0, 300))
      }
    },
    base: async (calls) => {
      for (let call = 0; call < calls; call++)
        for (let page = 1; page <= PAGES; page++) await (await fetch(`${url}/items?page=${page}`)).json()
    },
    bound: 1.6,
    close: async () => {
      api.kill()
      await server.close()
      await rm(folder, { recursive: true })
    },
  }
}
