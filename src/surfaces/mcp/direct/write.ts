import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server'
import { once } from '../../../base/once.ts'
import { ANNOUNCED, CACHEABLE, type ServerInfo, TOOL_LIST } from '../identity.ts'
import type { ToolReply } from '../tool-calls.ts'
import type { DirectCall, Era } from './recognise.ts'

/** An answer, in parts. */
export interface Written {
  readonly status: 200
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

type Listed = Exclude<DirectCall['method'], 'tools/call'>
type Id = string | number

/** Writes answers byte for byte as the SDK does. */
export interface Writer {
  readonly constant: (era: Era, method: Listed, id: Id) => Written
  readonly reply: (era: Era, reply: ToolReply, id: Id) => Written
  readonly failure: (era: Era, error: { readonly code: number; readonly message: string }, id: Id) => Written
}

const HEADERS = {
  // The answers of this era are streams of one event.
  legacy: { 'content-type': 'text/event-stream', connection: 'keep-alive', 'x-accel-buffering': 'no' },
  modern: { 'content-type': 'application/json' },
}

export function writerFor(info: ServerInfo): Writer {
  const server = { [SERVER_INFO_META_KEY]: info }
  const cached = { resultType: 'complete', ...CACHEABLE, _meta: server }
  const constants: Readonly<Record<Era, Readonly<Record<Listed, string>>>> = {
    legacy: { ping: '{}', 'tools/list': JSON.stringify(TOOL_LIST), 'server/discover': '' },
    modern: {
      ping: '',
      'tools/list': JSON.stringify({ ...TOOL_LIST, ...cached }),
      'server/discover': JSON.stringify({ supportedVersions: ['2026-07-28'], ...ANNOUNCED, ...cached }),
    },
  }
  const identity = JSON.stringify(server).slice(1, -1)
  const resultOf = (era: Era, reply: ToolReply): string => {
    const isModern = era === 'modern'
    const { content, meta } = partsOf(reply)
    if (meta === undefined)
      return `{${content},"isError":true${isModern ? `,"resultType":"complete","_meta":{${identity}}` : ''}}`
    return isModern
      ? `{"_meta":{${meta},${identity}},${content},"resultType":"complete"}`
      : `{"_meta":{${meta}},${content}}`
  }
  return {
    constant: (era, method, id) => written(era, constants[era][method], id),
    reply: (era, reply, id) => written(era, resultOf(era, reply), id),
    failure: (era, { code, message }, id) =>
      framed(era, JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })),
  }
}

/** Written once for each reply object: repeated calls share one. A refusal has no metadata. */
const partsOf = once((reply: ToolReply) => ({
  content: `"content":[{"type":"text","text":${JSON.stringify(reply.text)}}]`,
  meta: reply.ok ? `"plasm":${JSON.stringify(reply.meta)}` : undefined,
}))

function written(era: Era, result: string, id: Id): Written {
  return framed(era, `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`)
}

function framed(era: Era, message: string): Written {
  const body = era === 'legacy' ? `event: message\ndata: ${message}\n\n` : message
  return { status: 200, body, headers: HEADERS[era] }
}
