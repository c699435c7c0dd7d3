import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/client'
import { child } from '../../../base/json.ts'
import { type Parsed, parseJson } from '../../wire/json.ts'
import { parseInThread, type TooHard } from './large-lines.ts'

/** What a line of a server holds; `too_hard`: reading it needs more time or memory than a line may. */
export type LineRead = JSONRPCMessage | 'noise' | 'too_deep' | 'too_hard'

/** The JSON-RPC error that stands for a result which did not come. */
export const NO_RESULT = -32_000

/**
 * The message in a line of a server. An answer whose result is none, such as `null`, is read as an error, so that the request
 * does not wait for another one.
 */
export function readLine(line: string): LineRead {
  return mayBeMessage(line) ? messageIn(parseJson(line)) : 'noise'
}

/** The same for a large line, which is parsed in a thread. */
export async function readLargeLine(line: string): Promise<LineRead> {
  if (!mayBeMessage(line)) return 'noise'
  return messageIn(await parseInThread(line))
}

function mayBeMessage(line: string): boolean {
  return line.startsWith('{') && line.includes('"jsonrpc"')
}

function messageIn(parsed: Parsed | TooHard): LineRead {
  if ('wrong' in parsed) return parsed.wrong === 'not_json' ? 'noise' : parsed.wrong
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
