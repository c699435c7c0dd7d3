import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import type { Json } from '../../../base/canonical.ts'
import { isRecord } from '../../../base/json.ts'
import { readAnnounced } from '../../../engine/index.ts'
import type { QuietCall } from '../tool-calls.ts'
import { isCapabilities, isClientInfo } from './shapes.ts'

/** The two eras of the protocol: with a handshake (until 2025-11-25), and without (2026-07-28). */
export type Era = 'legacy' | 'modern'

/** A request that can be answered without the SDK. */
export type DirectCall = { readonly era: Era; readonly id: string | number } & (
  | { readonly method: 'ping' | 'tools/list' | 'server/discover' }
  | { readonly method: 'tools/call'; readonly call: QuietCall }
)

/** A header of the request by its name in lower case. */
export type HeaderOf = (name: string) => string | undefined

interface Message {
  readonly id: string | number
  readonly method: string
  readonly params: JsonObject
  readonly meta: JsonObject
}

type JsonObject = { readonly [key: string]: Json }

const MODERN = '2026-07-28'
const RESERVED = 'io.modelcontextprotocol/'
const MESSAGE_KEYS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params'])
const CALL_KEYS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta'])
const OTHER_KEYS: ReadonlySet<string> = new Set(['_meta'])
const NOTHING: JsonObject = {}

/** Could the POST be a direct call, by its headers? */
export function mayBeDirect(header: HeaderOf): boolean {
  const type = header('content-type')
  return type === 'application/json' || type === 'application/json; charset=utf-8'
}

/**
 * Recognizes a direct call; undefined for anything unusual, invalid or new, which the SDK answers. Every accepted request
 * is one that the SDK would serve, so every check is at least as strict as the SDK's own.
 */
export function directCall(body: Json, header: HeaderOf): DirectCall | undefined {
  const message = messageOf(body)
  const era = message && eraOf(message, header)
  if (!message || !era) return undefined
  const { id, method } = message
  switch (method) {
    case 'ping':
      return era === 'legacy' ? { era, id, method } : undefined
    case 'server/discover':
      return era === 'modern' ? { era, id, method } : undefined
    case 'tools/list':
      return { era, id, method }
    case 'tools/call': {
      const call = quietCall(message)
      return call && { era, id, method, call }
    }
    default:
      return undefined
  }
}

function messageOf(body: Json): Message | undefined {
  if (!isRecord(body) || !hasOnly(body, MESSAGE_KEYS) || body['jsonrpc'] !== '2.0') return undefined
  const { id, method, params = NOTHING } = body
  if (typeof method !== 'string' || !isId(id) || !isRecord(params)) return undefined
  const { _meta: meta = NOTHING } = params
  if (!isRecord(meta) || !hasOnly(params, method === 'tools/call' ? CALL_KEYS : OTHER_KEYS)) return undefined
  return { id, method, params, meta }
}

/** The era by the body, if the headers agree with it. */
function eraOf({ method, params, meta }: Message, header: HeaderOf): Era | undefined {
  const version = header('mcp-protocol-version')
  if (!Object.hasOwn(meta, PROTOCOL_VERSION_META_KEY)) {
    const accept = header('accept') ?? ''
    const isLegacy =
      (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) &&
      accept.includes('application/json') &&
      accept.includes('text/event-stream') &&
      Object.keys(meta).every(isForeign)
    return isLegacy ? 'legacy' : undefined
  }
  const isModern =
    meta[PROTOCOL_VERSION_META_KEY] === MODERN &&
    version === MODERN &&
    header('mcp-method') === method &&
    (method !== 'tools/call' || header('mcp-name') === params['name']) &&
    Object.hasOwn(meta, CLIENT_CAPABILITIES_META_KEY) &&
    Object.entries(meta).every(isKnownOrForeign)
  return isModern ? 'modern' : undefined
}

/** A key of `_meta` that the protocol does not define. */
function isForeign(key: string): boolean {
  return key !== 'progressToken' && key !== '__proto__' && !key.startsWith(RESERVED)
}

function isKnownOrForeign([key, value]: [string, Json]): boolean {
  switch (key) {
    case PROTOCOL_VERSION_META_KEY:
      return true
    case CLIENT_CAPABILITIES_META_KEY:
      return isCapabilities(value)
    case CLIENT_INFO_META_KEY:
      return isClientInfo(value)
    default:
      return isForeign(key)
  }
}

/** `plasm_run` stays with the SDK: its answer may be a question, or take long enough to need progress notifications. */
function quietCall({ id, params, meta }: Message): QuietCall | undefined {
  const { name: tool, arguments: input = NOTHING } = params
  const isQuiet = tool === 'plasm_context' || tool === 'discover_capabilities' || tool === 'plasm'
  if (!isQuiet || !isRecord(input) || Object.hasOwn(input, '__proto__')) return undefined
  return { tool, input, id, announced: readAnnounced(meta) }
}

function isId(id: Json | undefined): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

function hasOnly(record: JsonObject, keys: ReadonlySet<string>): boolean {
  return Object.keys(record).every((key) => keys.has(key))
}
