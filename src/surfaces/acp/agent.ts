import { agent, type AgentApp, type AgentContext, methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import type { Result } from '../../base/diagnostic.ts'
import { clientOver } from './client.ts'
import { listSessions } from './listing.ts'
import { configOptions } from './modes.ts'
import type { AcpParts } from './parts.ts'
import { requestError, type RequestProblem } from './problems.ts'
import { prompt } from './turn/prompt.ts'
import {
  listParams,
  loadParams,
  newParams,
  optionParams,
  reading,
  resumeParams,
  sessionParams,
} from './requests.ts'
import { Sessions } from './sessions.ts'

/** The agent, and how it ends. */
export interface Agent {
  readonly app: AgentApp
  /** Cancels all prompts and resolves once they ended. */
  readonly close: () => Promise<void>
}

/** The agent side of ACP: translates requests into those of the engine, and its answers into updates. */
export function acpAgent(parts: AcpParts): Agent {
  let connected: AgentContext | undefined
  const client = clientOver(() => connected)
  const sessions = new Sessions(parts, client)
  const { session } = methods.agent
  const app = agent({ name: 'plasmid' })
    .onConnect((connection) => void (connected = connection.client))
    .onRequest(methods.agent.initialize, () => identity(parts.version))
    .onRequest(session.new, reading(newParams), async ({ params }) =>
      valueOrError(await sessions.open(params)),
    )
    .onRequest(session.load, reading(loadParams), async ({ params }) =>
      valueOrError(await sessions.load(params), params),
    )
    .onRequest(session.resume, reading(resumeParams), async ({ params }) =>
      valueOrError(await sessions.resume(params), params),
    )
    .onRequest(session.list, reading(listParams), async ({ params }) =>
      valueOrError(await listSessions(parts, params)),
    )
    .onRequest(session.close, reading(sessionParams), async ({ params }) => {
      valueOrError(await sessions.close(params.sessionId), params)
      return {}
    })
    .onRequest(session.delete, reading(sessionParams), async ({ params }) => {
      await sessions.delete(params.sessionId)
      return {}
    })
    .onRequest(session.setConfigOption, reading(optionParams), async ({ params }) => {
      const { sessionId, configId, value } = params
      const head = valueOrError(await sessions.configure(sessionId, configId, value), params)
      return { configOptions: configOptions(head.mode) }
    })
    .onRequest(session.prompt, async ({ params, signal }) => {
      const live = valueOrError(sessions.get(params.sessionId), params)
      const call = { session: live, client, announce: () => sessions.announce(live), signal }
      return valueOrError(await prompt(parts, call, params), params)
    })
    .onNotification(session.cancel, ({ params }) => {
      const live = sessions.get(params.sessionId)
      if (live.ok) live.value.cancel()
    })
  return { app, close: () => sessions.closeAll() }
}

/** The value, or the error that the client gets. */
function valueOrError<T>(
  result: Result<T, RequestProblem>,
  { sessionId }: { readonly sessionId?: string } = {},
): T {
  if (result.ok) return result.value
  const [problem] = result.problems
  if (!problem) throw new Error('a failed result without a problem')
  throw requestError(problem, sessionId === undefined ? {} : { sessionId: sessionId.slice(0, 200) })
}

function identity(version: string) {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'plasmid', title: 'Plasmid', version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: false, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: false },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
      _meta: { plasmid: { logicalSessions: { version: 1 } } },
    },
    authMethods: [],
  }
}
