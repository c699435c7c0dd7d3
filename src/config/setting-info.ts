import { z } from 'zod'

/** What help and documentation say about one setting. The schema that carries it gives name, type and default. */
export interface SettingInfo {
  readonly about: string
  /** Markdown that only the documentation adds. */
  readonly more?: string
  /** The default in words, if the schema's own default does not say it. */
  readonly byDefault?: string
  readonly flag?: SettingFlag
}

/**
 * Commands that take the same flags: those that administer keys and policy, those about the catalogs of the configuration,
 * those that start an engine, and those that listen, which take the flags of an engine as well.
 */
export type CommandGroup = 'admin' | 'catalogs' | 'engine' | 'server'

export interface SettingFlag {
  /** With the prefix `no-`, the flag sets the setting to false. */
  readonly name: string
  /** The commands that take it. */
  readonly on: readonly CommandGroup[]
  /** The placeholder of its value; a flag without one is a switch. */
  readonly value?: string
  readonly repeatable?: true
  /** What the flag does, if `about` of the setting does not fit it. */
  readonly about?: string
}

/** Settings' schemas with their descriptions. */
export const settingInfo = z.registry<SettingInfo>()
