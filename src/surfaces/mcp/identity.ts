import { INSTRUCTIONS, TOOLS } from './tools.ts'

/* The server's identity: the same for every client and in every era. */

export interface ServerInfo {
  readonly name: string
  readonly title: string
  readonly version: string
}

export function serverInfo(version: string): ServerInfo {
  return { name: 'plasmid', title: 'Plasmid', version }
}

/** What `initialize` and `server/discover` announce. */
export const ANNOUNCED = { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS } as const

/** How long clients may cache lists and announcements: they change only with the version of the server. */
export const CACHEABLE = { ttlMs: 300_000, cacheScope: 'public' } as const

/** The result of `tools/list`. */
export const TOOL_LIST = { tools: TOOLS.map((tool) => ({ ...tool })) }
