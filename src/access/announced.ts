/**
 * What a host says about a connection or a request, beside the credential. It names no caller and no session, and an agent
 * does not write it.
 */
export interface Announced {
  /** The path of its workspace, as it was sent; never empty. */
  readonly workspace?: string
  /** Another path that the same announcement holds in another spelling, and that is not used. */
  readonly otherWorkspace?: string
  /** The host's own id of the conversation, behind the key that it was sent under: `vscode.conversationId:…`. */
  readonly conversation?: string
}

/** Where a host may announce its workspace in `_meta`, the preferred spelling first. */
const SPELLINGS: readonly (readonly string[])[] = [
  ['plasmid', 'workspace'],
  ['orbit', 'workspace'],
  ['plasmid.workspace'],
  ['orbit.workspace'],
]

/** Where hosts send the id of a conversation with each call. An id of one call or one turn is none. */
const CONVERSATIONS = ['threadId', 'vscode.conversationId', 'sessionID', 'ai.opencode/sessionID']
/** The longest id of a conversation, in UTF-16 code units. */
const LONGEST_ID = 200

/** Reads the `_meta` of an MCP message. What is no text, or an empty one, counts as absent. */
export function readAnnounced(meta: unknown): Announced {
  if (meta === undefined) return {}
  const paths = SPELLINGS.map(([first = '', second]) => {
    const held = ownOf(meta, first)
    return announcedText(second === undefined ? held : ownOf(held, second))
  }).filter((path) => path !== undefined)
  const [workspace] = paths
  const otherWorkspace = paths.find((path) => path !== workspace)
  return {
    ...(workspace !== undefined && { workspace }),
    ...(otherWorkspace !== undefined && { otherWorkspace }),
    ...conversationIn(meta),
  }
}

function conversationIn(meta: unknown): Pick<Announced, 'conversation'> {
  for (const key of CONVERSATIONS) {
    const id = announcedText(ownOf(meta, key))
    if (id !== undefined && id.length <= LONGEST_ID && id.isWellFormed())
      return { conversation: `${key}:${id}` }
  }
  return {}
}

function ownOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined
}

/** A text that names something; undefined for anything else. */
export function announcedText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** An announcement of a request over the one of its connection. */
export function announcedOver(request: Announced, connection: Announced): Announced {
  if (request.workspace === undefined) return { ...connection, ...request }
  return { ...(connection.conversation && { conversation: connection.conversation }), ...request }
}
