import type { Json } from '../../base/canonical.ts'
import { child, isList, isRecord } from '../../base/json.ts'
import type { McpAnswer, McpRequest } from '../../execution/mcp.ts'
import { parseJson } from '../wire/json.ts'
import { LARGE_BYTES, parseInThread } from './transport/large-lines.ts'

/** The answer in a result, or what is wrong with it. */
export async function answerOf(
  request: McpRequest,
  result: Json,
): Promise<McpAnswer | { readonly wrong: string }> {
  if (!isRecord(result)) return { wrong: 'it is no object' }
  const kind = child(result, 'resultType')
  if (kind !== undefined && kind !== 'complete')
    return { wrong: 'the server asks for further input, which this client does not give' }
  switch (request.type) {
    case 'tool':
      return toolAnswer(result)
    case 'resources': {
      const resources = child(result, 'resources')
      const next = child(result, 'nextCursor')
      if (!isList(resources)) return { wrong: 'it has no list of resources' }
      return { type: 'resources', resources, ...(typeof next === 'string' && next !== '' && { next }) }
    }
    case 'resource':
    case 'resource_template': {
      const contents = child(result, 'contents')
      return isList(contents) ? { type: 'contents', contents } : { wrong: 'it has no contents' }
    }
  }
}

async function toolAnswer(result: Json): Promise<McpAnswer | { readonly wrong: string }> {
  const content = child(result, 'content') ?? []
  if (!isList(content)) return { wrong: 'its content is no list' }
  const text = content.map(textOf).join('\n')
  const data = child(result, 'structuredContent') ?? (await dataIn(content))
  return {
    type: 'tool',
    isError: child(result, 'isError') === true,
    text,
    ...(data !== undefined && data !== null && { data }),
  }
}

/** The JSON in an answer whose only content is the text of an object or a list. */
async function dataIn(content: readonly Json[]): Promise<Json | undefined> {
  const [only, more] = content
  const text = child(only, 'text')
  if (more !== undefined || child(only, 'type') !== 'text' || typeof text !== 'string') return undefined
  if (!/^\s*[[{]/.test(text)) return undefined
  const parsed = text.length < LARGE_BYTES ? parseJson(text) : await parseInThread(text)
  return 'value' in parsed ? parsed.value : undefined
}

/** The text of a content block; a block without text as a line that describes it. */
function textOf(block: Json): string {
  const type = child(block, 'type')
  const text = child(block, 'text')
  if (type === 'text' && typeof text === 'string') return text
  if (type === 'resource') return embedded(child(block, 'resource'))
  if (type === 'resource_link') return `[resource ${shown(child(block, 'uri'))}]`
  const data = child(block, 'data')
  const size = typeof data === 'string' ? `, ${data.length} characters of base64` : ''
  return `[${shown(type)} ${shown(child(block, 'mimeType'))}${size}]`
}

function embedded(resource: Json | undefined): string {
  const text = child(resource, 'text')
  return typeof text === 'string' ? text : `[resource ${shown(child(resource, 'uri'))}]`
}

function shown(value: Json | undefined): string {
  return typeof value === 'string' ? value : 'unknown'
}
