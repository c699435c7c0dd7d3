/**
 * Texts under names that every node of a deployment sees alike: what was written is what each of them reads next. All of
 * them reject where the store behind them cannot be reached.
 */
export interface SharedTexts {
  /** Where they are, for people. */
  readonly where: string
  readonly read: (name: string) => Promise<string | undefined>
  readonly write: (name: string, text: string) => Promise<void>
  /** False where there is none. */
  readonly remove: (name: string) => Promise<boolean>
  readonly names: () => Promise<readonly string[]>
}
