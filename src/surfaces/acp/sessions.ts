import type { LoadSessionResponse, NewSessionResponse, SessionUpdate } from '@agentclientprotocol/sdk'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { AcpClient } from './client.ts'
import { AVAILABLE_COMMANDS } from './turn/commands.ts'
import { type Head, headOf, headText } from './head.ts'
import { AcpSession } from './acp-session.ts'
import { configOptions, DEFAULT_MODE, isMode, MODE_OPTION } from './modes.ts'
import type { AcpParts } from './parts.ts'
import { acpProblem, type RequestProblem } from './problems.ts'
import { closeCutOff, replay } from './replay.ts'
import type { SupportedServer, NewParams, ResumeParams } from './requests.ts'
import { readServers } from './servers.ts'
import { isSameDirectory, readRoots, type Roots, whyUnusable } from './roots.ts'
import { quietConversation, turnOf } from './waiting.ts'

/** After an answer that a client may take for the end of a replay, nothing is sent for this long. */
const QUIET_MS = 1000

/** The sessions that this process answers for. */
export class Sessions {
  readonly #parts: AcpParts
  readonly #client: AcpClient
  readonly #live = new Map<string, AcpSession>()

  constructor(parts: AcpParts, client: AcpClient) {
    this.#parts = parts
    this.#client = client
  }

  /** `session/new`: durable before it resolves. */
  async open({ mcpServers, _meta, ...given }: NewParams): Promise<Result<NewSessionResponse>> {
    const roots = readRoots(given)
    if (!roots.ok) return roots
    const servers = readServers(mcpServers)
    if (!servers.ok) return servers
    const wrong = await whyUnusable(roots.value.cwd)
    if (wrong) return failed([wrong])
    const { conversations, caller } = this.#parts
    const intent = intentIn(_meta)
    // The intent names the conversation, whose id is not known before it was begun.
    const head = { ...roots.value, additionalDirectories: [...roots.value.additionalDirectories] }
    const begun = await conversations.begin(caller, (id) =>
      headText({ ...head, intent: intent ?? `acp:${id}`, mode: DEFAULT_MODE }),
    )
    if (!begun.ok) return begun
    const { id, head: text } = begun.value
    const session = await this.#connected(id, headOf(text), roots.value, servers.value)
    this.#live.set(id, session)
    this.#announceLater(session, 0)
    return ok({ sessionId: id, ...stateOf(session.head) })
  }

  /** `session/load`: everything that was said is sent again before it resolves. */
  async load(given: ResumeParams): Promise<Result<LoadSessionResponse, RequestProblem>> {
    const attached = await this.#attach(given)
    if (!attached.ok) return attached
    const { session, conversation } = attached.value
    await replay(this.#parts, conversation, (update) => this.#client.send(session.id, update))
    await this.announce(session)
    return ok(stateOf(session.head))
  }

  /** `session/resume`: nothing is sent before it resolves. */
  async resume(given: ResumeParams): Promise<Result<LoadSessionResponse, RequestProblem>> {
    const attached = await this.#attach(given)
    if (!attached.ok) return attached
    const { session } = attached.value
    this.#announceLater(session, QUIET_MS)
    return ok(stateOf(session.head))
  }

  /** Gives `session_inactive` if this process does not answer for it. */
  get(id: string): Result<AcpSession> {
    const session = this.#live.get(id)
    return session ? ok(session) : failed([acpProblem('session_inactive', { id: id.slice(0, 80) })])
  }

  /** Sends the commands, once. */
  async announce(session: AcpSession): Promise<void> {
    if (session.isAnnounced) return
    session.isAnnounced = true
    await this.#client.send(session.id, commandsUpdate())
  }

  /** `session/set_config_option`. Gives `unknown_option`, `unknown_value`, or the problems of a turn. */
  async configure(id: string, option: string, value: unknown): Promise<Result<Head>> {
    const found = this.get(id)
    if (!found.ok) return found
    const session = found.value
    if (option !== MODE_OPTION) return failed([acpProblem('unknown_option', { option: option.slice(0, 80) })])
    if (!isMode(value)) return failed([acpProblem('unknown_value', { value: String(value).slice(0, 80) })])
    const kept = await this.#changeHead(session.id, (head) => ({ ...head, mode: value }))
    return kept.ok ? ok((session.head = kept.value)) : kept
  }

  /** `session/close`: it stays in the store. */
  async close(id: string): Promise<Result<null>> {
    const session = this.get(id)
    if (!session.ok) return session
    await session.value.close()
    // It may have been loaded again meanwhile.
    if (this.#live.get(id) === session.value) this.#live.delete(id)
    return ok(null)
  }

  /** `session/delete`: an active session is closed first; an unknown one is gone already. */
  async delete(id: string): Promise<void> {
    await this.close(id)
    await this.#parts.conversations.drop(this.#parts.caller, id)
  }

  /** Cancels everything and resolves once it ended. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.#live.keys()].map((id) => this.close(id)))
  }

  /** Checks everything before it changes anything. */
  async #attach({ sessionId, mcpServers = [], ...given }: ResumeParams) {
    const roots = readRoots(given)
    if (!roots.ok) return roots
    const servers = readServers(mcpServers)
    if (!servers.ok) return servers
    const known = this.#live.get(sessionId)
    if (known?.isBusy) return failed([acpProblem('prompt_running', {})])
    const found = await quietConversation(this.#parts, sessionId)
    if (!found.ok) return found
    const head = headOf(found.value.head)
    if (!(await isSameDirectory(head.cwd, roots.value.cwd))) return failed([differing(roots.value, head)])
    if (found.value.isCutOff || !sameRoots(head, roots.value)) {
      const additionalDirectories = [...roots.value.additionalDirectories]
      const settled = await this.#changeHead(sessionId, (kept) => ({ ...kept, additionalDirectories }))
      if (!settled.ok) return settled
    }
    const conversation = await this.#parts.conversations.find(this.#parts.caller, sessionId)
    if (!conversation.ok) return conversation
    // Servers are not restored: the request names all of them, with their environments.
    await known?.close()
    const session = await this.#connected(
      sessionId,
      headOf(conversation.value.head),
      roots.value,
      servers.value,
    )
    this.#live.set(sessionId, session)
    return ok({ session, conversation: conversation.value })
  }

  /** A session over its servers. Those that fail, or take too long, do not keep it from answering. */
  async #connected(
    id: string,
    head: Head,
    roots: Roots,
    servers: readonly SupportedServer[],
  ): Promise<AcpSession> {
    const connected = this.#parts.connect(servers, roots.cwd)
    const session = new AcpSession(id, head, roots, connected)
    if (servers.length === 0) return session
    const { problems, pending } = await connected.ready()
    session.unsaid = [...problems, ...pending.map((name) => acpProblem('server_connecting', { name }))]
    return session
  }

  /** Changes the head as it is kept once no turn runs, and completes a turn that was cut off. */
  async #changeHead(id: string, change: (head: Head) => Head): Promise<Result<Head>> {
    const turn = await turnOf(this.#parts, id, new AbortController().signal)
    if (!turn.ok) return turn
    try {
      if (turn.value.conversation.isCutOff) await closeCutOff(this.#parts, turn.value)
      const head = change(headOf(turn.value.conversation.head))
      const isKept = await turn.value.append([], headText(head))
      return isKept ? ok(head) : failed([acpProblem('turn_taken_over', {})])
    } finally {
      await turn.value.end()
    }
  }

  #announceLater(session: AcpSession, ms: number): void {
    const now = () => {
      // It may have been loaded again, or closed.
      if (this.#live.get(session.id) === session) void this.announce(session).catch(this.#parts.report)
    }
    setTimeout(now, ms).unref()
  }
}

function differing({ cwd }: Roots, { cwd: own }: Head): RequestProblem {
  return { ...acpProblem('cwd_differs', { cwd, own }), data: { sessionCwd: own } }
}

function commandsUpdate(): SessionUpdate {
  return { sessionUpdate: 'available_commands_update', availableCommands: [...AVAILABLE_COMMANDS] }
}

function stateOf({ mode, intent }: Head) {
  return { configOptions: configOptions(mode), _meta: { plasmid: { intent } } }
}

function sameRoots({ additionalDirectories: a }: Head, { additionalDirectories: b }: Roots): boolean {
  return a.length === b.length && a.every((path, index) => path === b[index])
}

/** `_meta.plasmid.intent`: the host's own name for the work. */
function intentIn(meta: Readonly<Record<string, unknown>> | null | undefined): string | undefined {
  const own = meta?.['plasmid']
  const intent = typeof own === 'object' && own !== null && 'intent' in own ? own.intent : undefined
  return typeof intent === 'string' && intent.trim() !== '' ? intent : undefined
}
