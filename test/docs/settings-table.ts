import { variableOf } from '../../src/config/environment.ts'
import { describeSettings } from '../../src/config/settings.ts'

/** The rows of the table of settings, from their declarations. */
export function settingsTable(): string {
  return describeSettings()
    .map(({ name, about, more, byDefault, flag }) => {
      const cells = [
        code(name),
        code(variableOf(name)),
        flag === undefined ? '' : code(`--${flag.name}`),
        byDefault === undefined ? 'none' : /^[\w.]+$/.test(byDefault) ? code(byDefault) : byDefault,
        more === undefined ? about : `${about}; ${more}`,
      ]
      return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |\n`
    })
    .join('')
}

function code(text: string): string {
  return `\`${text}\``
}
