import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Driver, SURFACES } from '../surfaces/drivers.ts'

/** The fixture catalog `notes` behind a server process, and an API that records every request that reaches it. */
export interface NotesStage {
  /** The text of the table that the session was taught. */
  readonly table: string
  /** `PATCH /notes/a {"title":"x"}`: method, target and body text, in the order of arrival. */
  readonly requests: string[]
  readonly plan: (program: string) => Promise<string>
  /** Plans the program and runs it from its plan, where it has one. */
  readonly run: (program: string) => Promise<string>
  readonly close: () => Promise<void>
}

export type NoteRow = Readonly<Record<string, unknown>>

/**
 * Starts the server on a port of its own, with one session on Note.
 *
 * @param rows of the list, or its text as the API sends it
 */
export async function notesStage(rows: readonly NoteRow[] | string): Promise<NotesStage> {
  const requests: string[] = []
  const upstream = createServer((request, response) => {
    void answer(request).then((body) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    })
  })
  const answer = async (request: IncomingMessage): Promise<string> => {
    const body = await text(request)
    requests.push([request.method, request.url, body].filter((part) => part !== '').join(' '))
    if (request.url?.endsWith('/ping') === true) return '"pong"'
    if (request.method === 'GET' && request.url?.startsWith('/notes/') === true) {
      const code = decodeURIComponent(request.url.slice('/notes/'.length))
      const known = typeof rows === 'string' ? [] : rows
      return JSON.stringify(known.find((row) => row['code'] === code) ?? { code })
    }
    if (request.method !== 'GET') return '{}'
    return typeof rows === 'string' ? rows : JSON.stringify({ notes: rows })
  }
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const address = upstream.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-notes-'))
  const catalog = fileURLToPath(new URL('catalogs/notes', import.meta.url))
  const backend = `notes=http://127.0.0.1:${address.port}`
  const driver = await open(dataDir, [`--catalog=${catalog}`, '--no-shipped', `--backend=${backend}`])
  const table = await driver.context({ intent: 'hostile', seeds: [{ api: 'notes', entity: 'Note' }] })
  const session = { logical_session_ref: 's0' }
  return {
    table,
    requests,
    plan: (program) => driver.plan({ ...session, program }),
    run: async (program) => {
      const planned = await driver.plan({ ...session, program })
      const [plan] = /\bpc\d+/.exec(planned) ?? []
      return plan === undefined ? planned : driver.run({ ...session, program, plan })
    },
    close: async () => {
      await driver.close()
      upstream.closeAllConnections()
      upstream.close()
      await rm(dataDir, { recursive: true })
    },
  }
}

function open(dataDir: string, engine: readonly string[]): Promise<Driver> {
  const start = SURFACES['the HTTP API']
  if (!start) throw new Error('no HTTP API')
  return start(dataDir, engine)
}
