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

type Message = FromWorker | ToWorker

const KINDS: ReadonlySet<string> = new Set<Message['kind']>([
  'listening',
  'gather',
  'counted',
  'end',
  'count',
  'expect',
])

/** Is it one of ours? Libraries in the same processes may send messages too. */
export function isMessage<Kind extends Message>(value: unknown): value is Kind {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    typeof value.kind === 'string' &&
    KINDS.has(value.kind)
  )
}
