import { counted } from '../../../base/text/counted.ts'
import { visible } from '../../../base/text/one-line.ts'
import { toEntry } from '../../bodies/entry.ts'
import type { Command } from '../command.ts'
import type { ListedCatalog } from '../dependencies.ts'
import { EXIT } from '../exit.ts'
import { print, printJson, refuse } from '../output.ts'
import { serversOf } from './catalog/servers-of.ts'
import { CATALOG_FLAGS, settingsOf } from '../setting-flags.ts'

export const list: Command = {
  name: 'list',
  flags: CATALOG_FLAGS,
  run: async (given, dependencies) => {
    const opened = await dependencies.catalogs(settingsOf(given))
    if (!opened.ok) return refuse(opened.problems, given.on('json'))
    const all = await opened.value.list()
    if (given.on('json')) printJson({ entries: all.map(toEntry) })
    else print(all.map(lineOf).join(''))
    return EXIT.ok
  },
}

function lineOf(listed: ListedCatalog): string {
  const { id, source, ok, entities, capabilities, auth, warnings, kind } = listed
  const unread = kind === 'mcp' ? 'not listed yet' : 'cannot be read: see `plasmid catalog check`'
  const where = kind === 'mcp' ? 'MCP server' : `${serversOf(listed)} (${auth})`
  const state = ok
    ? `${counted(entities, 'entity', 'entities')}, ${counted(capabilities, 'capability', 'capabilities')}, ${where}`
    : unread
  const notes = warnings > 0 ? `, ${counted(warnings, 'warning')}` : ''
  return `${visible(`${id}: ${state}${notes}; from ${source}`)}\n`
}
