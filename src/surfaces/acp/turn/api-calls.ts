import type { ApiCall } from '../../../engine/index.ts'
import type { TurnContext } from './turn-context.ts'

/** API calls of one run that are shown: a loop may make thousands. */
const SHOWN = 25

/** Shows the calls to APIs of a run while it is under way: each as a tool call, the first ones only. */
export function apiCalls({ speaker }: TurnContext, runId: string): (call: ApiCall) => void {
  return ({ number, catalog, capability, isEffect, end }) => {
    if (number > SHOWN) return
    const toolCallId = `${runId}.${number}`
    const name = `${catalog}.${capability}`
    if (!end) {
      speaker.say({
        sessionUpdate: 'tool_call',
        toolCallId,
        title: name,
        name,
        kind: isEffect ? 'edit' : 'fetch',
        status: 'in_progress',
        rawInput: { api: catalog, capability },
      })
      return
    }
    const { ok, status, ms, problem } = end
    speaker.say({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: ok ? 'completed' : 'failed',
      rawOutput: {
        ...(status !== undefined && { status }),
        ms,
        ...(problem && { problem: problem.code }),
      },
    })
  }
}
