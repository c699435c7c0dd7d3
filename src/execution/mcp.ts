import type { ExactJson, Json } from '../base/canonical.ts'
import type { Problem, Result } from '../base/diagnostic.ts'
import type { ServedCatalog } from '../catalog/model.ts'

/** What an MCP server is asked for. */
export type McpRequest =
  | {
      readonly type: 'tool'
      readonly name: string
      readonly arguments: { readonly [name: string]: ExactJson }
    }
  | { readonly type: 'resources'; readonly cursor?: string }
  | { readonly type: 'resource'; readonly uri: string }
  /** The resource of a URI template (RFC 6570) with these values. */
  | {
      readonly type: 'resource_template'
      readonly template: string
      readonly values: { readonly [name: string]: string }
    }

/** One call to an MCP server. */
export interface McpCall {
  /** As this process serves it now: its origin names the server. */
  readonly catalog: ServedCatalog
  /** Asked right before each request leaves, however long the server took to start: why nothing may be sent. */
  readonly admit: () => Promise<Result<unknown>>
  /** By which capability: for the record of calls. */
  readonly capability: string
  readonly request: McpRequest
  /** May it be sent again after the server died? Reads only. */
  readonly repeatable: boolean
}

interface McpReply {
  readonly answer: McpAnswer
  /** The size of the answer, in bytes. */
  readonly bytes: number
  /** How often the call was sent. */
  readonly requests: number
}

/** An answer, independent of the revision of the protocol. */
export type McpAnswer =
  | {
      readonly type: 'tool'
      /** The tool reports an error, which `text` describes. */
      readonly isError: boolean
      /** The structured answer, else the JSON in its text: an object or a list. */
      readonly data?: Json
      /** The text of the answer; other content stands in it as a line that describes it. */
      readonly text: string
    }
  | { readonly type: 'resources'; readonly resources: readonly Json[]; readonly next?: string }
  | { readonly type: 'contents'; readonly contents: readonly Json[] }

export interface McpFailure {
  readonly problem: Problem
  /** Has the server acted on the call? `no`: it refused it; `yes`: it did, and its answer cannot be used. */
  readonly acted: 'not_sent' | 'no' | 'unknown' | 'yes'
  /** The problem is that of `admit`. */
  readonly isRefused?: true
  readonly requests: number
}

/**
 * Carries calls to the MCP servers that one session may use. Promises: a server is started only as the operator (or the
 * client, for its own session) configured it; at most `maxBytes` of an answer are kept; the promise settles soon after the
 * signal aborts or the time is over; it never rejects.
 */
export interface Mcp {
  send(
    call: McpCall,
    limits: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly maxBytes: number },
  ): Promise<
    { readonly ok: true; readonly reply: McpReply } | { readonly ok: false; readonly failure: McpFailure }
  >
}
