import { UriTemplate } from '@modelcontextprotocol/client'
import { digitsAsText } from '../../base/json.ts'
import type { McpRequest } from '../../execution/mcp.ts'

/**
 * A request in the words of the protocol.
 *
 * @param isExact whether big integers can be sent; else they are sent as text, which a server refuses rather than mistakes
 */
export function messageOf(
  request: McpRequest,
  isExact: boolean,
): {
  readonly method: string
  readonly params: Record<string, unknown>
} {
  switch (request.type) {
    case 'tool':
      return {
        method: 'tools/call',
        params: {
          name: request.name,
          arguments: isExact ? request.arguments : digitsAsText(request.arguments),
        },
      }
    case 'resources':
      return {
        method: 'resources/list',
        params: request.cursor === undefined ? {} : { cursor: request.cursor },
      }
    case 'resource':
      return { method: 'resources/read', params: { uri: request.uri } }
    case 'resource_template':
      return {
        method: 'resources/read',
        params: { uri: new UriTemplate(request.template).expand({ ...request.values }) },
      }
  }
}
