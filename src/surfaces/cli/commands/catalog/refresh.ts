import { visible } from '../../../../base/text/one-line.ts'
import type { Command } from '../../command.ts'
import { EXIT } from '../../exit.ts'
import { print, printJson, refuse } from '../../output.ts'
import { CATALOG_FLAGS, settingsOf } from '../../setting-flags.ts'

export const catalogRefresh: Command = {
  name: 'catalog refresh',
  positionals: [{ name: 'id', required: true, description: 'Its id, as `list` shows it' }],
  flags: CATALOG_FLAGS,
  run: async (given, dependencies) => {
    const opened = await dependencies.catalogs(settingsOf(given))
    const [id = ''] = given.positionals
    const changes = opened.ok ? await opened.value.refresh(id) : opened
    if (!changes.ok) return refuse(changes.problems, given.on('json'))
    const lines = changes.value.map(visible)
    if (given.on('json')) printJson({ entry_id: id, differences: lines })
    else
      print(
        lines.length === 0
          ? 'No difference.\n'
          : `${lines.join('\n')}\nRefreshed ${id}. A running server serves it within seconds.\n`,
      )
    return EXIT.ok
  },
}
