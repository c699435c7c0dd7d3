import { resolve } from 'node:path'
import type { Command } from '../command.ts'
import type { InitOutcome } from '../dependencies.ts'
import type { Given } from '../flags.ts'
import { EXIT } from '../exit.ts'
import { print, printJson, refuse } from '../output.ts'
import { ENGINE_FLAGS, settingsOf } from '../setting-flags.ts'

/** The values of flags that are paths: the host starts the server in another directory. */
const PATHS: readonly string[] = ['PATH', 'FILE']

export const init: Command = {
  name: 'init',
  positionals: [
    {
      name: 'host',
      required: true,
      description: 'claude-code, cursor, vscode, zed, codex, gemini-cli or jetbrains',
    },
  ],
  flags: {
    write: { description: 'Write the file of the host; a copy of an existing one is kept' },
    replace: { description: 'With --write: replace another entry of the same name' },
    protocol: { value: 'NAME', description: 'mcp or acp (default: what fits the host)' },
    file: { value: 'PATH', description: 'Another file than the one that the host reads by default' },
    ...ENGINE_FLAGS,
  },
  run: async (given, dependencies) => {
    const file = given.text('file')
    const request = {
      host: given.positionals[0] ?? '',
      protocol: given.text('protocol'),
      file: file === undefined ? undefined : resolve(file),
      writes: given.on('write'),
      replaces: given.on('replace'),
    }
    const done = await dependencies.init(request, settingsOf(given), engineFlags(given))
    if (!done.ok) return refuse(done.problems, given.on('json'))
    if (given.on('json')) printJson(done.value)
    else print(human(done.value))
    return EXIT.ok
  },
}

/** The flags of the server, as they were given here. */
function engineFlags(given: Given): string[] {
  return Object.entries(ENGINE_FLAGS).flatMap(([name, { value }]) => {
    if (!given.on(name)) return []
    if (value === undefined) return [`--${name}`]
    return given.texts(name).flatMap((text) => [`--${name}`, PATHS.includes(value) ? absolute(text) : text])
  })
}

function absolute(path: string): string {
  return path.includes('://') ? path : resolve(path)
}

function human({ title, file, text, state, backup, afterwards }: InitOutcome): string {
  if (state === 'shown')
    return `${title} reads ${file}. Add this to it, or run this again with --write:\n\n${text}\n${afterwards}\n`
  if (state === 'unchanged') return `${file} has this entry already.\n${afterwards}\n`
  const kept = backup === undefined ? '' : ` The file as it was: ${backup}.`
  return `Wrote ${file}.${kept}\n${afterwards}\n`
}
