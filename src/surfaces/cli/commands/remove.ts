import { toEntry } from '../../bodies/entry.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit.ts'
import { print, printJson, refuse } from '../output.ts'
import { CATALOG_FLAGS, settingsOf } from '../setting-flags.ts'

export const remove: Command = {
  name: 'remove',
  positionals: [{ name: 'id', required: true, description: 'Its id, as `list` shows it' }],
  flags: CATALOG_FLAGS,
  run: async (given, dependencies) => {
    const opened = await dependencies.catalogs(settingsOf(given))
    const removed = opened.ok ? await opened.value.remove(given.positionals[0] ?? '') : opened
    if (!removed.ok) return refuse(removed.problems, given.on('json'))
    if (given.on('json')) printJson(toEntry(removed.value))
    else print(`Removed \`${removed.value.id}\`.\n`)
    return EXIT.ok
  },
}
