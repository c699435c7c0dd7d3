import { z } from '@hono/zod-openapi'
import { answer } from '../answer.ts'
import type { Route } from '../route.ts'

/** What was counted, as text that Prometheus reads. */
export interface MetricsText {
  readonly text: () => Promise<string>
  readonly contentType: string
}

/** `GET /metrics`: it counts the calls of all callers. */
export function metricsRoutes(metrics: MetricsText): readonly Route[] {
  return [
    {
      method: 'get',
      path: '/metrics',
      name: 'getMetrics',
      tag: 'Server',
      isForOperators: true,
      summary: 'Metrics in the text format of Prometheus',
      answers: { 200: { 'text/plain': z.string() } },
      handle: async () => answer(await metrics.text(), 200, { 'content-type': metrics.contentType }),
    },
  ]
}
