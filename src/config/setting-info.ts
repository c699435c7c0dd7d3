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

export interface SettingFlag {
  /** With the prefix `no-`, the flag sets the setting to false. */
  readonly name: string
  /** The placeholder of its value; a flag without one is a switch. */
  readonly value?: string
  readonly repeatable?: true
  /** What the flag does, if `about` of the setting does not fit it. */
  readonly about?: string
}

/** Settings' schemas with their descriptions. */
export const settingInfo = z.registry<SettingInfo>()
