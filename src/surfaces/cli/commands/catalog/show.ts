import { visible } from '../../../../base/text/one-line.ts'
import { toEntry } from '../../../bodies/entry.ts'
import type { Command } from '../../command.ts'
import type { ShownCatalog } from '../../dependencies.ts'
import { EXIT } from '../../exit.ts'
import { print, printJson, refuse } from '../../output.ts'
import { serversOf } from './servers-of.ts'
import { CATALOG_FLAGS, settingsOf } from '../../setting-flags.ts'

export const catalogShow: Command = {
  name: 'catalog show',
  positionals: [{ name: 'id', required: true, description: 'Its id, as `list` shows it' }],
  flags: { why: { description: 'Say why each part is as it is' }, ...CATALOG_FLAGS },
  run: async (given, dependencies) => {
    const opened = await dependencies.catalogs(settingsOf(given))
    const shown = opened.ok ? await opened.value.show(given.positionals[0] ?? '') : opened
    if (!shown.ok) return refuse(shown.problems, given.on('json'))
    if (given.on('json')) printJson(toEntry(shown.value))
    else print(human(shown.value, given.on('why')))
    return EXIT.ok
  },
}

function human(shown: ShownCatalog, isExplained: boolean): string {
  const { id, auth, description, content, left, why } = shown
  const reasons = (lines: readonly string[], indent: string) =>
    isExplained ? lines.map((line) => `${indent}${line}`) : []
  const lines = [
    `${id}: ${serversOf(shown)} (${auth})`,
    ...(description === undefined ? [] : [description]),
    ...reasons(why, '  '),
    ...content.flatMap((one) => [
      '',
      `${one.entity} (key: ${one.key.join(', ')}): ${one.fields.join(', ')}`,
      ...(one.relations.length > 0 ? [`  relations: ${one.relations.join(', ')}`] : []),
      ...reasons(one.why, '  '),
      ...one.capabilities.flatMap((capability) => [
        `  ${capability.name}: ${capability.kind}${capability.effect === 'read' ? '' : ', writes'}, .${capability.label}(${capability.arguments.join(', ')})`,
        ...reasons(capability.why, '    '),
      ]),
    ]),
    ...(left.length > 0
      ? ['', 'Left out:', ...left.map(({ operation, reason }) => `  ${operation}: ${reason}`)]
      : []),
  ]
  return lines.map((line) => `${visible(line)}\n`).join('')
}
