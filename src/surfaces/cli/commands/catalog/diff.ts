import type { Command } from '../../command.ts'
import { CATALOG_FLAGS, settingsOf } from '../../setting-flags.ts'
import { printChanges } from './changes.ts'

export const catalogDiff: Command = {
  name: 'catalog diff',
  positionals: [
    { name: 'id', required: true, description: 'Its id, as `list` shows it' },
    { name: 'source', description: 'A file, a folder or an http(s) address' },
  ],
  flags: CATALOG_FLAGS,
  run: async (given, dependencies) => {
    const opened = await dependencies.catalogs(settingsOf(given))
    const [id = '', source] = given.positionals
    return printChanges(given, id, opened.ok ? await opened.value.diff(id, source) : opened)
  },
}
