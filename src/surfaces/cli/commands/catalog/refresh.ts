import type { Command } from '../../command.ts'
import { CATALOG_FLAGS, settingsOf } from '../../setting-flags.ts'
import { printChanges } from './changes.ts'

export const catalogRefresh: Command = {
  name: 'catalog refresh',
  positionals: [{ name: 'id', required: true, description: 'Its id, as `list` shows it' }],
  flags: CATALOG_FLAGS,
  run: async (given, dependencies) => {
    const opened = await dependencies.catalogs(settingsOf(given))
    const [id = ''] = given.positionals
    const changes = opened.ok ? await opened.value.refresh(id) : opened
    return printChanges(given, id, changes, `Refreshed ${id}. A running server serves it within seconds.\n`)
  },
}
