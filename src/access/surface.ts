/** What a credential can be limited to: calls over MCP, the HTTP API, and the approval of plans. */
export const SURFACES = ['mcp', 'http', 'confirm'] as const
export type Surface = (typeof SURFACES)[number]

export function isSurface(name: unknown): name is Surface {
  return SURFACES.some((surface) => surface === name)
}
