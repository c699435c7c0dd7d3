import { describeSettings, type SettingDescription } from '../../config/settings.ts'
import type { CommandGroup } from '../../config/setting-info.ts'
import type { Flag, Given } from './flags.ts'

type Flags = Readonly<Record<string, Flag>>

const described = describeSettings()

const CONFIG: Flags = { config: { value: 'FILE', description: 'Read settings from a YAML or JSON file' } }

/** On the commands that administer keys and policy. */
export const ADMIN_FLAGS: Flags = { ...flagsOf('admin'), ...CONFIG }
/** On every command that starts an engine. */
export const ENGINE_FLAGS: Flags = { ...flagsOf('engine'), ...CONFIG }
/** On the commands about the catalogs of the configuration. */
export const CATALOG_FLAGS: Flags = { ...flagsOf('catalogs'), ...CONFIG }
/** On every command that listens, or examines whether it could. */
export const SERVER_FLAGS: Flags = { ...flagsOf('server'), ...flagsOf('engine'), ...CONFIG }

function flagsOf(group: CommandGroup): Flags {
  return Object.fromEntries(described.filter(({ flag }) => flag?.on.includes(group)).flatMap(flagOf))
}

function flagOf({ about, byDefault, flag }: SettingDescription): [string, Flag][] {
  if (!flag) return []
  const { name, on: _, about: own = about, ...rest } = flag
  const isDefaultShown = byDefault !== undefined && rest.value !== undefined
  const text = isDefaultShown ? `${own} (default: ${byDefault})` : own
  return [[name, { ...rest, description: text.charAt(0).toUpperCase() + text.slice(1) }]]
}

/** The settings that the command line gives, by their names; those without a flag here are undefined. */
export function settingsOf(given: Given) {
  const flags = Object.fromEntries(
    described.map(({ name, flag }) => [name, flag && given.on(flag.name) ? valueOf(flag, given) : undefined]),
  )
  return { flags, file: given.text('config') }
}

function valueOf({ name, value, repeatable }: NonNullable<SettingDescription['flag']>, given: Given) {
  if (value === undefined) return !name.startsWith('no-')
  return repeatable ? given.texts(name) : given.text(name)
}
