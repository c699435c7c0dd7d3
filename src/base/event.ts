/** An event for logs, traces and metrics: a name, a time (ms since the epoch) and flat facts. Never a secret or a row. */
export interface Event {
  readonly name: string
  readonly at: number
  readonly facts: Readonly<Record<string, string | number | boolean>>
}

/** Receives events. Must not throw and must not block. */
export type Emit = (event: Event) => void
