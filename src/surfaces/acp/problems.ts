import { RequestError } from '@agentclientprotocol/sdk'
import { type Problem, problemsOf } from '../../base/diagnostic.ts'

/** Problems of requests over ACP. */
export const acpProblem = problemsOf({
  invalid_params: {
    message: ({ wrong }: { wrong: string }) => `Invalid parameters: ${wrong}.`,
    next: () => 'Correct the request.',
  },
  path_relative: {
    message: ({ field, path }: { field: string; path: string }) =>
      `\`${field}\` must be an absolute path without control characters, got ${JSON.stringify(path)}.`,
    next: () => 'Send the absolute path of the directory.',
  },
  cwd_unusable: {
    message: ({ path, reason }: { path: string; reason: string }) => `The directory ${path} ${reason}.`,
    next: () => 'Start the session in an existing directory.',
  },
  cwd_differs: {
    message: ({ cwd, own }: { cwd: string; own: string }) =>
      `The session belongs to the directory ${own}, not to ${cwd}.`,
    next: () => 'Send the directory that the session was started in.',
  },
  session_inactive: {
    message: ({ id }: { id: string }) => `There is no active session ${JSON.stringify(id)}.`,
    next: () => 'Load or resume it first, or start a new one.',
  },
  prompt_running: {
    message: () => 'A prompt is running in this session.',
    next: () => 'Wait until it ended, or cancel it.',
  },
  prompts_full: {
    message: ({ most }: { most: number }) => `${most} prompts are waiting in this session.`,
    next: () => 'Wait until one ended, or cancel them.',
  },
  prompt_empty: {
    message: () => 'The prompt has no content.',
    next: () => 'Send at least one block of text.',
  },
  prompt_too_long: {
    message: ({ most, actual }: { most: number; actual: number }) =>
      `A prompt must have at most ${most} bytes, got ${actual}.`,
    next: () => 'Send less at once.',
  },
  content_unsupported: {
    message: ({ type }: { type: string }) =>
      `Content of the type ${JSON.stringify(type)} is not among the announced prompt capabilities.`,
    next: () => 'Send text, a resource link or an embedded text resource.',
  },
  server_kind_unsupported: {
    message: ({ name, kind }: { name: string; kind: string }) =>
      `The MCP server ${name} is of the kind \`${kind}\`, which \`mcpCapabilities\` does not announce.`,
    next: () => 'Use stdio or http.',
  },
  server_name_twice: {
    message: ({ name }: { name: string }) => `Two MCP servers have the name ${name}.`,
    next: () => 'Give each server of a session its own name.',
  },
  server_connecting: {
    message: ({ name }: { name: string }) => `The MCP server \`${name}\` does not answer yet.`,
    next: () => 'It can be used as soon as it answers.',
  },
  bad_cursor: {
    message: () => 'The cursor is not one that this agent gave.',
    next: () => 'List from the beginning.',
  },
  unknown_option: {
    message: ({ option }: { option: string }) =>
      `There is no configuration option ${JSON.stringify(option)}.`,
    next: () => 'Use one of `configOptions`.',
  },
  unknown_value: {
    message: ({ value }: { value: string }) => `The option has no value ${JSON.stringify(value)}.`,
    next: () => 'Use one of its `options`.',
  },
  turn_taken_over: {
    message: () => 'Another process continued this session, or it was deleted.',
    next: () => 'Load the session again.',
  },
  line_too_long: {
    message: ({ most }: { most: number }) => `A message must have at most ${most} bytes.`,
    next: () => 'Start the agent again and send less at once.',
  },
})

/** A problem with fields for the client's program. */
export interface RequestProblem extends Problem {
  readonly data?: Readonly<Record<string, string>>
}

/** Error codes of JSON-RPC and ACP. */
const CODES: Readonly<Record<string, number>> = {
  session_inactive: -32002,
  unknown_conversation: -32002,
  prompt_running: -32600,
  prompts_full: -32600,
  conversation_busy: -32600,
  conversations_full: -32603,
  conversation_full: -32603,
  bytes_full: -32603,
  unavailable: -32603,
  access_unavailable: -32603,
  store_replaced: -32603,
  turn_taken_over: -32603,
  line_too_long: -32600,
}

/** The error that the client gets; problems without a code of their own are those of parameters. */
export function requestError(
  { code, message, next, data: own }: RequestProblem,
  data: Readonly<Record<string, string>> = {},
): RequestError {
  return new RequestError(CODES[code] ?? -32602, message, { code, next, ...own, ...data })
}
