/** What happened, for logs, traces and metrics: a name, when (ms since the epoch) and flat facts. Never a secret or a row. */
export interface Event {
  readonly name: string
  readonly at: number
  readonly facts: Readonly<Record<string, string | number | boolean>>
}

/** Who listens to events. Must not throw and must not wait. */
export type Emit = (event: Event) => void
