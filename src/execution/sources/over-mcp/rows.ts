import type { Json } from '../../../base/canonical.ts'
import { isList, isRecord, recordOf } from '../../../base/json.ts'
import type { McpOperation } from '../../../catalog/calls/mcp-operation.ts'
import { type Located, locateRows } from '../../http/response/rows.ts'
import type { McpAnswer } from '../../mcp.ts'

/**
 * The rows of an answer as JSON. Of a tool without an output schema each element of a JSON list, a JSON object, or else the
 * text is a row of `data` or `text`.
 */
export function rowsOf(operation: McpOperation, answer: McpAnswer): Located {
  if (answer.type === 'resources') return { ok: true, rows: answer.resources }
  if (answer.type === 'contents') return { ok: true, rows: answer.contents }
  const { data, text } = answer
  if (operation.type !== 'tool' || operation.rows === undefined)
    return { ok: true, rows: untyped(data, text) }
  const path = operation.rows
  if (data === undefined)
    return { ok: false, path: path.join('.'), found: text === '' ? 'an empty answer' : 'text' }
  const shape = { path, single: true, scalar: false }
  return locateRows(data, shape, 'many')
}

function untyped(data: Json | undefined, text: string): readonly Json[] {
  if (data === undefined) return text === '' ? [] : [recordOf([['text', text]])]
  const elements = isList(data) ? data : [data]
  return elements.map((element) =>
    isRecord(element) || isList(element)
      ? recordOf([['data', element]])
      : recordOf([[typeof element === 'string' ? 'text' : 'data', element]]),
  )
}
