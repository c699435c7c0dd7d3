import type { Json } from '../../base/canonical.ts'
import { child, isList } from '../../base/json.ts'
import { oneLine } from '../../base/text/one-line.ts'
import type { Connection } from './connection.ts'

/** The most pages of one list, and the most characters of all lists together. */
const MAX_PAGES = 50
const MAX_CHARACTERS = 8 * 1024 * 1024

/**
 * What a server lists: `{server, tools, resources?, resourceTemplates?}`. `resources` is there, and empty, if the server has
 * any: they are read when a program asks for them. Rejects with the client's errors, or if the lists are too long.
 *
 * @param timeoutMs for all lists together
 */
export async function listOf(connection: Connection, timeoutMs: number): Promise<Json> {
  const { about, hasResources, ask } = connection
  const until = performance.now() + timeoutMs
  let characters = 0
  const whole = async (method: string, key: string) => {
    const entries: Json[] = []
    let cursor: Json | undefined
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const limits = { timeoutMs: Math.max(1, until - performance.now()) }
      const result = await ask({ method, params: cursor === undefined ? {} : { cursor } }, limits)
      const listed = child(result, key)
      if (isList(listed)) entries.push(...listed)
      characters += JSON.stringify(result).length
      if (characters > MAX_CHARACTERS)
        throw new Error(`its lists are longer than ${MAX_CHARACTERS} characters`)
      cursor = child(result, 'nextCursor')
      if (typeof cursor !== 'string' || cursor === '') break
    }
    return entries
  }
  const tools = await whole('tools/list', 'tools')
  // A server with resources need not have templates.
  const templates = hasResources
    ? await whole('resources/templates/list', 'resourceTemplates').catch((): Json[] => [])
    : []
  return {
    server: { name: oneLine(about.name, 100), instructions: oneLine(about.instructions, 300) },
    tools,
    ...(hasResources && { resources: [], resourceTemplates: templates }),
  }
}
