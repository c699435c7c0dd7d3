/**
 * Named texts that all nodes of a deployment share: each read gives the latest write. Every method rejects if the store
 * cannot be reached.
 */
export interface SharedTexts {
  /** The location, for people. */
  readonly where: string
  readonly read: (name: string) => Promise<string | undefined>
  readonly write: (name: string, text: string) => Promise<void>
  /** False if there was none. */
  readonly remove: (name: string) => Promise<boolean>
  readonly names: () => Promise<readonly string[]>
}
