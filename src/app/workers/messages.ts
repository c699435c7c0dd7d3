/** A message from a worker to the process that supervises it. */
export type FromWorker =
  | { readonly kind: 'listening'; readonly url: string }
  /** Asks the other workers for their metrics; `id` identifies the request. */
  | { readonly kind: 'gather'; readonly id: number }
  /** Its metrics as JSON, for the worker that asked. */
  | { readonly kind: 'counted'; readonly id: number; readonly to: number; readonly metrics: string }

/** A message from the supervising process to a worker. */
export type ToWorker =
  | { readonly kind: 'end' }
  /** Asks for the metrics of this worker, on behalf of another. */
  | { readonly kind: 'count'; readonly id: number; readonly to: number }
  /** The number of answers that follow a request of this worker. */
  | { readonly kind: 'expect'; readonly id: number; readonly count: number }
  | { readonly kind: 'counted'; readonly id: number; readonly metrics: string }

const FROM_WORKER: ReadonlySet<unknown> = new Set<FromWorker['kind']>(['listening', 'gather', 'counted'])
const TO_WORKER: ReadonlySet<unknown> = new Set<ToWorker['kind']>(['end', 'count', 'expect', 'counted'])

/** Is it a message of a worker? Libraries in the same processes may send others. */
export function isFromWorker(value: unknown): value is FromWorker {
  return FROM_WORKER.has(kindOf(value))
}

/** Is it a message of the supervising process? */
export function isToWorker(value: unknown): value is ToWorker {
  return TO_WORKER.has(kindOf(value))
}

function kindOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined
}
