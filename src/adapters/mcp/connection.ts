import { Client, type StandardSchemaV1, type Transport } from '@modelcontextprotocol/client'
import type { Json } from '../../base/canonical.ts'
import { isTooDeep } from '../wire/json.ts'

/** A revision of the protocol: `legacy` opens with `initialize`, `modern` has a version in every request. */
export type Era = 'legacy' | 'modern'

/** How a connection says that it ended, if only the server knows why. */
export const CLOSED = 'it closed the connection'

/** The version of the modern era that we speak. */
const MODERN = '2026-07-28'

/** What a transport tells besides messages. */
export interface Line {
  readonly transport: Transport
  /** It writes integers that a double cannot hold with all their digits. */
  readonly isExact: boolean
  /** Why the transport ended the connection; undefined if it did not. */
  readonly flaw: () => string | undefined
  /** How the server ended: known soon after the transport closed. */
  readonly how: () => Promise<string>
}

/** An open connection to one server. */
export interface Connection {
  readonly era: Era
  readonly isExact: boolean
  readonly hasResources: boolean
  /** What the server says of itself: its name, and how it is meant to be used. */
  readonly about: { readonly name: string; readonly instructions: string }
  /** The server's answer to one request, as JSON. Rejects with the client's errors, or if it is nested too deeply. */
  readonly ask: (
    request: { readonly method: string; readonly params?: Record<string, unknown> },
    limits: { readonly signal?: AbortSignal; readonly timeoutMs: number },
  ) => Promise<Json>
  /** Why the connection ended, or undefined while it is open. */
  readonly ended: () => string | undefined
  readonly how: () => Promise<string>
  readonly close: () => Promise<void>
}

export interface Opening {
  /** Of this program, for the server to log. */
  readonly version: string
  readonly timeoutMs: number
  /** Ends the opening. */
  readonly signal: AbortSignal
  /** The server says that its tools or resources are others now. Absent: it is not asked to say so. */
  readonly onListChanged?: () => void
}

/**
 * Opens a connection in one era of the protocol. Rejects with the client's errors; the transport is closed then.
 */
export async function openConnection(line: Line, era: Era, opening: Opening): Promise<Connection> {
  const { version, timeoutMs, signal: ending, onListChanged } = opening
  const { transport } = line
  const changed = onListChanged && { autoRefresh: false, onChanged: onListChanged }
  const client = new Client(
    { name: 'plasmid', version },
    {
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: MODERN } },
      ...(changed && { listChanged: { tools: changed, resources: changed } }),
    },
  )
  let ended: string | undefined
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's client is no event target
  client.onclose = () => (ended ??= line.flaw() ?? CLOSED)
  const giveUp = () => void transport.close().catch(() => undefined)
  ending.addEventListener('abort', giveUp)
  try {
    ending.throwIfAborted()
    await client.connect(transport, { timeout: timeoutMs, maxTotalTimeout: timeoutMs })
  } catch (error) {
    await transport.close().catch(() => undefined)
    throw error
  } finally {
    ending.removeEventListener('abort', giveUp)
  }
  const { resources } = client.getServerCapabilities() ?? {}
  return {
    era,
    isExact: line.isExact,
    hasResources: resources !== undefined,
    about: {
      name: client.getServerVersion()?.title ?? client.getServerVersion()?.name ?? '',
      instructions: client.getInstructions() ?? '',
    },
    ask: async ({ method, params }, { signal, timeoutMs: timeout }) => {
      const limits = { timeout, maxTotalTimeout: timeout, ...(signal && { signal }) }
      const result = await client.request({ method, ...(params && { params }) }, ANY, limits)
      if (isTooDeep(result)) throw new Error('it is nested too deeply')
      return result
    },
    ended: () => ended,
    how: line.how,
    close: async () => {
      ended ??= 'it was closed'
      await client.close().catch(() => undefined)
      await transport.close().catch(() => undefined)
    },
  }
}

/** Takes results as they are: what they hold is checked where it is read, so that one wrong entry does not lose the others. */
const ANY: StandardSchemaV1<unknown, Json> = {
  '~standard': {
    version: 1,
    vendor: 'plasmid',
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a result was parsed from JSON
    validate: (value) => ({ value: value as Json }),
  },
}
