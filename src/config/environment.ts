import { isAbsolute, join } from 'node:path'
import { homedir } from 'node:os'
import { CONTEXT_VARIABLES } from '../access/session-context.ts'
import type { Problem } from '../base/diagnostic.ts'
import { nearest } from '../base/suggest.ts'
import { problem } from './problems.ts'
import { SETTING_NAMES } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const PREFIX = 'PLASMID_'
/** Variables with the prefix that are not settings; some are what another Plasmid gives a server that it starts. */
const OTHERS = ['CONFIG', 'SECRET', ...CONTEXT_VARIABLES]

/** The variable of a setting. */
export function variableOf(setting: string): string {
  return PREFIX + setting.toUpperCase()
}

/** The settings in the environment, as text. Gives `unknown_setting`. */
export function environmentSettings(env: Environment) {
  const values = new Map<string, string>()
  const problems: Problem[] = []
  const names = new Map(SETTING_NAMES.map((name) => [variableOf(name), name]))
  const known = [...names.keys(), ...OTHERS.map((name) => PREFIX + name)]
  // The variable that existing hosts set.
  if (env['PLASM_AUTH_RESOLUTION'] === 'delegated') values.set('auth_resolution', 'delegated')
  for (const [variable, text] of Object.entries(env)) {
    // An empty variable counts as unset.
    if (!variable.startsWith(PREFIX) || !text) continue
    const setting = names.get(variable)
    if (setting !== undefined) values.set(setting, text)
    else if (!known.includes(variable)) problems.push(unknownVariable(variable, known))
  }
  return { values, problems }
}

function unknownVariable(name: string, known: readonly string[]): Problem {
  const withoutPrefix = known.map((one) => one.slice(PREFIX.length))
  const similar = nearest(name.slice(PREFIX.length), withoutPrefix).map((one) => PREFIX + one)
  return problem('unknown_setting', { name, where: 'the environment', similar }, { nearest: similar })
}

/** The XDG base directory for data. That standard says to ignore a relative one. */
export function defaultDataDir(env: Environment): string {
  const base = env['XDG_DATA_HOME']
  return join(base && isAbsolute(base) ? base : join(homedir(), '.local', 'share'), 'plasmid')
}
