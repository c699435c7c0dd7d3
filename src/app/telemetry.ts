import { fanOut } from '../adapters/telemetry/fan-out.ts'
import type { Logs, LogLevel } from '../adapters/telemetry/logs.ts'
import type { Metrics, Peers } from '../adapters/telemetry/metrics.ts'
import type { Emit } from '../base/event.ts'
import { DEFAULT_TRACE_LIMITS, Traces } from '../engine/watch/traces.ts'
import { VERSION } from '../version.ts'

/** All receivers of events. Each is loaded on first use. */
export interface Telemetry {
  readonly emit: Emit
  /** Internal errors go to standard error for the operator, never to a caller. */
  readonly report: (error: unknown) => void
  /** Writes a log to standard error from now on; repeated calls have no effect. */
  readonly log: (level: LogLevel) => Promise<void>
  /** Collects traces and metrics from now on, for a server to show. */
  readonly watch: () => Promise<{ readonly traces: Traces; readonly metrics: Metrics }>
  /** Ends the streams of followers. */
  readonly endStreams: () => void
  /** Flushes buffered events. */
  readonly shutDown: () => Promise<void>
}

/**
 * Telemetry without listeners.
 *
 * @param worker which of several processes this is, and its link to the others
 */
export function openTelemetry(worker?: Peers & { readonly id: number }): Telemetry {
  let logs: Logs | undefined
  const report = (error: unknown) => (logs ? logs.report(error) : plainReport(error))
  const { emit, add, flush } = fanOut(report)
  const traces = new Traces(DEFAULT_TRACE_LIMITS, flush)
  return {
    emit,
    report,
    log: async (level) => {
      if (logs) return
      const { openLogs } = await import('../adapters/telemetry/logs.ts')
      logs = openLogs(level, undefined, worker?.id)
      add(logs.emit)
    },
    watch: async () => {
      const [{ openMetrics }, { openSpans }] = await Promise.all([
        import('../adapters/telemetry/metrics.ts'),
        import('../adapters/telemetry/spans.ts'),
      ])
      const metrics = openMetrics(flush, worker)
      for (const listener of [traces.emit, metrics.emit, openSpans(VERSION)]) add(listener)
      return { traces, metrics }
    },
    endStreams: () => {
      flush()
      traces.shutDown()
    },
    shutDown: async () => {
      flush()
      const open = logs
      logs = undefined
      await open?.end()
    },
  }
}

function plainReport(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
}
