import { sentences } from '../../../../base/diagnostic.ts'
import { counted } from '../../../../base/text/counted.ts'
import { visible } from '../../../../base/text/one-line.ts'
import type { CheckReport, Finding } from '../../../../catalog/report.ts'
import { toEntry } from '../../../bodies/entry.ts'
import type { Command } from '../../command.ts'
import { EXIT } from '../../exit.ts'
import { print, printJson } from '../../output.ts'

export const catalogCheck: Command = {
  name: 'catalog check',
  positionals: [
    { name: 'path', required: true, repeatable: true, description: 'A catalog folder or document' },
  ],
  run: async (given, dependencies) => {
    const reports = await dependencies.checkCatalogs(given.positionals)
    const isWell = reports.every((report) => report.ok)
    if (given.on('json')) printJson({ reports: reports.map(toEntry) }, isWell)
    else print(reports.map(human).join('\n'))
    return isWell ? EXIT.ok : EXIT.problem
  },
}

function human(report: CheckReport): string {
  const { path, id, ok, entities, capabilities, supported, unsupported, warnings, errors } = report
  const counts = [
    counted(entities, 'entity', 'entities'),
    counted(capabilities, 'capability', 'capabilities'),
    supported === capabilities ? 'all of them run' : `${supported} of them run`,
  ].join(', ')
  const { operations } = report
  const lines = [
    `${path}: ${ok ? `ok: \`${id}\` has ${counts}` : 'not ok'}`,
    ...(operations ? [`  ${operations.reachable} of ${operations.total} operations can be called`] : []),
    ...errors.map((finding) => line('error', finding)),
    ...warnings.map((finding) => line('warning', finding)),
    ...unsupported.map(({ capability, features }) => `  unsupported: ${capability} (${features.join(', ')})`),
  ]
  return `${lines.join('\n')}\n`
}

function line(kind: string, finding: Finding): string {
  const { file, line: at, code } = finding
  const place = [file, at].filter((part) => part !== undefined).join(':')
  // Names in a catalog are untrusted: they must not send control sequences to the terminal.
  return `  ${kind}: ${visible(`${place === '' ? '' : `${place}: `}${code}: ${sentences(finding)}`)}`
}
