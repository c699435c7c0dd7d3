import type { Json } from '../../../base/canonical.ts'
import { child, isList, isRecord } from '../../../base/json.ts'

/** What a server offers, as the four lists of the protocol: the input of the reader, and what is kept between starts. */
export interface Listing {
  readonly tools: readonly ListedTool[]
  /** Whether the server has resources. */
  readonly hasResources: boolean
  readonly templates: readonly ListedTemplate[]
  /** Entries that could not be read: no name, no text, or beyond the limits. */
  readonly unread: number
}

export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: Json
  readonly outputSchema?: Json
  /** The server says that the tool changes nothing. A hint, which grants nothing. */
  readonly isReadOnly: boolean
}

/** A URI template of resources. */
export interface ListedTemplate {
  readonly name: string
  readonly uriTemplate: string
  readonly description: string
}

/** The largest lists that are read. */
const MAX_TOOLS = 2000
const MAX_TEMPLATES = 200
/** The longest name and URI template, in characters. */
const LONGEST = 512

/**
 * Reads `{tools, resources?, resourceTemplates?}`, as the results of `tools/list`, `resources/list` and
 * `resources/templates/list` hold them. `resources` is absent if the server has none to list. Any JSON is accepted: what has
 * the wrong shape is left out and counted.
 */
export function readListing(document: Json): Listing {
  const tools = listAt(document, 'tools')
  const templates = listAt(document, 'resourceTemplates')
  const readTools = tools.slice(0, MAX_TOOLS).flatMap(readTool)
  const readTemplates = templates.slice(0, MAX_TEMPLATES).flatMap(readTemplate)
  return {
    tools: readTools,
    hasResources: isList(child(document, 'resources')),
    templates: readTemplates,
    unread: tools.length - readTools.length + templates.length - readTemplates.length,
  }
}

function readTool(tool: Json): readonly ListedTool[] {
  const name = child(tool, 'name')
  if (typeof name !== 'string' || name === '' || name.length > LONGEST) return []
  const outputSchema = child(tool, 'outputSchema')
  return [
    {
      name,
      description: textAt(tool, 'description'),
      inputSchema: child(tool, 'inputSchema') ?? {},
      ...(isRecord(outputSchema) && { outputSchema }),
      isReadOnly: child(child(tool, 'annotations'), 'readOnlyHint') === true,
    },
  ]
}

function readTemplate(template: Json): readonly ListedTemplate[] {
  const name = textAt(template, 'name')
  const uriTemplate = textAt(template, 'uriTemplate')
  if (name === '' || uriTemplate === '' || uriTemplate.length > LONGEST) return []
  return [{ name, uriTemplate, description: textAt(template, 'description') }]
}

function listAt(document: Json, key: string): readonly Json[] {
  const held = child(document, key)
  return isList(held) ? held : []
}

function textAt(holder: Json, key: string): string {
  const held = child(holder, key)
  return typeof held === 'string' ? held : ''
}
