import {
  type AgentContext,
  methods,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'

/** What this agent asks of the client: the baseline of the protocol, and nothing that the client would have to announce. */
export interface AcpClient {
  /** Resolves once the update was written; rejects if the client is gone. */
  readonly send: (sessionId: string, update: SessionUpdate) => Promise<void>
  /** Rejects if the client cannot ask, or once the signal aborts: the question is withdrawn then. */
  readonly ask: (
    question: RequestPermissionRequest,
    signal: AbortSignal,
  ) => Promise<RequestPermissionResponse>
}

/** @param context gives the connection, once there is one */
export function clientOver(context: () => AgentContext | undefined): AcpClient {
  const connected = () => {
    const client = context()
    if (!client) throw new Error('no client is connected')
    return client
  }
  return {
    send: (sessionId, update) => connected().notify(methods.client.session.update, { sessionId, update }),
    ask: (question, cancellationSignal) =>
      connected().request(methods.client.session.requestPermission, question, {
        cancellationSignal,
        stopWaitingOnCancel: true,
      }),
  }
}
