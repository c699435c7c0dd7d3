import Database from 'libsql'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { type ApiProcess, folderFor, startApi, whyNot } from './api-process.ts'

const SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'
export const POWERDNS_KEY = 'key-of-the-name-server'

export const whyNoPowerdns = whyNot('pdns-server and pdns-backend-sqlite3', 'pdns_server', [SCHEMA])

/** An authoritative name server with an HTTP API, which describes itself at `/api/docs`. */
export async function startPowerdns(): Promise<ApiProcess> {
  const [folder, web, dns] = [folderFor('powerdns'), await freePort(), await freePort()]
  const database = join(folder, 'zones.sqlite')
  const held = new Database(database)
  held.exec(readFileSync(SCHEMA, 'utf8'))
  held.close()
  const settings = {
    'config-dir': folder, 'socket-dir': folder, daemon: 'no', guardian: 'no', 'write-pid': 'no',
    launch: 'gsqlite3', 'gsqlite3-database': database, 'gsqlite3-dnssec': 'yes',
    'local-address': '127.0.0.1', 'local-port': dns,
    webserver: 'yes', 'webserver-address': '127.0.0.1', 'webserver-port': web, api: 'yes', 'api-key': POWERDNS_KEY,
  } // prettier-ignore
  const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  return startApi(['pdns_server', ...flags], { url: `http://127.0.0.1:${web}`, folder })
}
