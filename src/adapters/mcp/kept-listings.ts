import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { McpServer } from '../../access/mcp-server.ts'
import { canonicalJson, type Json } from '../../base/canonical.ts'
import { sha256 } from '../../base/hash.ts'
import { child } from '../../base/json.ts'
import { replaceFile } from '../files/replace.ts'
import type { Era } from './connection.ts'

/** What a server listed the last time. */
export interface KeptListing {
  readonly listing: Json
  readonly era: Era
  /** When it was read, in ms since the epoch. */
  readonly at: number
}

/** The last known lists of servers, as files: a server that is down at the start of this process is still taught. */
export class KeptListings {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** What the server listed the last time, if it was started in the same way; undefined if that is not known. */
  async read(server: McpServer): Promise<KeptListing | undefined> {
    try {
      const kept: Json = JSON.parse(await readFile(this.#pathOf(server), 'utf8'))
      const [listing, era, at] = ['listing', 'era', 'at'].map((key) => child(kept, key))
      if (child(kept, 'server') !== identityOf(server) || listing === undefined || typeof at !== 'number')
        return undefined
      return { listing, era: era === 'modern' ? 'modern' : 'legacy', at }
    } catch {
      return undefined
    }
  }

  /** Keeps what a server lists. A failure to write it is no failure of the server. */
  async write(server: McpServer, { listing, era, at }: KeptListing): Promise<void> {
    try {
      const kept = JSON.stringify({ server: identityOf(server), era, at, listing })
      await replaceFile(this.#pathOf(server), kept)
    } catch {
      // The next start lists the server again.
    }
  }

  #pathOf({ name }: McpServer): string {
    return listingPath(this.#folder, name)
  }
}

/** The file of the lists of the server of this name. */
export function listingPath(folder: string, name: string): string {
  return join(folder, `${encodeURIComponent(name)}.json`)
}

/** What a server is started with, without values that may be secrets. */
function identityOf({ start }: McpServer): string {
  return sha256(
    canonicalJson(
      start.kind === 'http'
        ? { url: start.url }
        : { command: start.command, args: start.args, cwd: start.cwd },
    ),
  )
}
