import type { Command } from '../command.ts'
import { EXIT, print } from '../output.ts'

export const catalogCheck: Command = {
  name: 'catalog check',
  description: 'Read catalogs and say what is wrong with them',
  positionals: [
    { name: 'path', required: true, repeatable: true, description: 'A catalog folder or document' },
  ],
  run: async (given, outfit) => {
    const reports = await outfit.checkCatalogs(given.positionals)
    print(
      given.on('json')
        ? `${JSON.stringify(reports, undefined, 2)}\n`
        : reports.map(({ text }) => text).join('\n'),
    )
    return reports.every((report) => report.ok) ? EXIT.ok : EXIT.problem
  },
}
