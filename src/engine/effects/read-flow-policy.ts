import type { Plan } from '../../language/plan/plan.ts'
import type { EngineCall } from '../call.ts'

/** The data that may cross into reads of another API only in a reviewed plan, as the operator's settings say; each once. */
export function mustReviewReads(
  { readFlowPolicy }: Pick<EngineCall, 'readFlowPolicy'>,
  { readFlows }: Plan,
): Plan['readFlows'] {
  const asked = readFlows.filter(({ to }) => readFlowPolicy(to) === 'review')
  return asked.filter(
    (flow, at) => asked.findIndex(({ from, to }) => from === flow.from && to === flow.to) === at,
  )
}
