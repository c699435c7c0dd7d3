import { isMap, isScalar, isSeq, parseDocument, type Document } from 'yaml'

/** An entry as `plasmid add` writes it. */
export interface WrittenEntry {
  readonly id: string
  readonly source: string
  readonly [key: string]: unknown
}

/**
 * The text of a configuration with one more catalog; undefined if it has a catalog or an MCP server of this name. Comments and
 * the order of everything else stay.
 */
export function withEntry(text: string, entry: WrittenEntry): string | undefined {
  const document = opened(text)
  if (hasName(document, entry.id)) return undefined
  const list = document.get('catalogs', true)
  if (isSeq(list)) list.add(document.createNode(entry))
  else document.set('catalogs', document.createNode([entry]))
  return document.toString({ lineWidth: 0 })
}

/** The text of a configuration without the catalog of this id; undefined if it has none. */
export function withoutEntry(text: string, id: string): string | undefined {
  const document = opened(text)
  const list = document.get('catalogs', true)
  if (!isSeq(list)) return undefined
  const at = list.items.findIndex((item) => isMap(item) && item.get('id') === id)
  if (at < 0) return undefined
  list.delete(at)
  if (list.items.length === 0) deleteKey(document, 'catalogs')
  return textOf(document)
}

/** The text of a configuration with one more MCP server; undefined if it has one, or a catalog, of this name. */
export function withServer(text: string, name: string, server: object): string | undefined {
  const document = opened(text)
  if (hasName(document, name)) return undefined
  if (isMap(document.get('mcp_servers', true)))
    document.setIn(['mcp_servers', name], document.createNode(server))
  else document.set('mcp_servers', document.createNode({ [name]: server }))
  return document.toString({ lineWidth: 0 })
}

/** The text of a configuration without the MCP server of this name; undefined if it has none. */
export function withoutServer(text: string, name: string): string | undefined {
  const document = opened(text)
  const servers = document.get('mcp_servers', true)
  if (!isMap(servers) || !servers.delete(name)) return undefined
  if (servers.items.length === 0) deleteKey(document, 'mcp_servers')
  return textOf(document)
}

/** Does the text of a configuration have a catalog of this id from this source? */
export function hasEntry(text: string, id: string, source: string): boolean {
  return entriesIn(opened(text)).some((entry) => entry.get('id') === id && entry.get('source') === source)
}

function hasName(document: Document, name: string): boolean {
  return (
    document.hasIn(['mcp_servers', name]) || entriesIn(document).some((entry) => entry.get('id') === name)
  )
}

function entriesIn(document: Document) {
  const list = document.get('catalogs', true)
  return isSeq(list) ? list.items.filter((item) => isMap(item)) : []
}

/** Deletes a key; the comment above it stays. */
function deleteKey(document: Document, name: string): void {
  const { contents } = document
  const pair = isMap(contents)
    ? contents.items.find(({ key }) => isScalar(key) && key.value === name)
    : undefined
  const comment = isScalar(pair?.key) ? pair.key.commentBefore : undefined
  document.delete(name)
  if (!comment || !isMap(contents)) return
  const next = contents.items[0]?.key
  if (isScalar(next)) next.commentBefore = [comment, next.commentBefore].filter((one) => one).join('\n')
  else contents.commentBefore = comment
}

/** A text of comments alone is a document without a value. */
function opened(text: string): Document {
  const document: Document = parseDocument(text)
  if (!isMap(document.contents)) {
    const comment = document.commentBefore ?? document.comment
    document.contents = document.createNode({})
    document.comment = null
    if (comment) document.commentBefore = comment
  }
  return document
}

/** An empty document leaves its comments. */
function textOf(document: Document): string {
  return isEmpty(document) ? commentsOf(document) : document.toString({ lineWidth: 0 })
}

function isEmpty({ contents }: Document): boolean {
  return isMap(contents) && contents.items.length === 0
}

function commentsOf({ commentBefore, contents }: Document): string {
  const comments = [commentBefore, contents?.commentBefore].filter((one) => one)
  return comments.flatMap((one) => (one ?? '').split('\n').map((line) => `#${line}\n`)).join('')
}
