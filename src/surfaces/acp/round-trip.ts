import { client, methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import { acpAgent } from './agent.ts'
import type { AcpParts } from './parts.ts'

/**
 * Speaks the protocol with this agent in this process: a session, and a prompt that calls nothing. Rejects if an answer is
 * an error.
 *
 * @param cwd an existing directory
 */
export async function acpRoundTrip(parts: AcpParts, cwd: string): Promise<void> {
  const { app, close } = acpAgent(parts)
  const { session } = methods.agent
  await client({ name: 'doctor' })
    .onNotification(methods.client.session.update, () => undefined)
    .connectWith(app, async (agent) => {
      await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION })
      const { sessionId } = await agent.request(session.new, { cwd, mcpServers: [] })
      const prompt = [{ type: 'text' as const, text: '/help' }]
      await agent.request(session.prompt, { sessionId, prompt })
      await close()
    })
}
