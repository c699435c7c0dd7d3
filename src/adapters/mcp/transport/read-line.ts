import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/client'
import { child } from '../../../base/json.ts'
import { parseJson } from '../../wire/json.ts'

/** The JSON-RPC error that stands for a result which did not come. */
export const NO_RESULT = -32_000

/**
 * The message in a line of a server. An answer whose result is none, such as `null`, is read as an error, so that the request
 * does not wait for another one.
 */
export function readLine(line: string): JSONRPCMessage | 'noise' | 'too_deep' {
  if (!line.startsWith('{') || !line.includes('"jsonrpc"')) return 'noise'
  const parsed = parseJson(line)
  if (!('value' in parsed)) return parsed.wrong === 'too_deep' ? 'too_deep' : 'noise'
  const { value } = parsed
  try {
    return parseJSONRPCMessage(value)
  } catch {
    const id = child(value, 'id')
    const isAnswer = typeof id === 'number' && child(value, 'method') === undefined
    if (!isAnswer) return 'noise'
    return {
      jsonrpc: '2.0',
      id,
      error: { code: NO_RESULT, message: 'its answer is no message of the protocol' },
    }
  }
}
