import type { Command } from '../command.ts'
import { SERVER_FLAGS, settingsOf } from '../setting-flags.ts'
import type { Examined } from '../dependencies.ts'
import { EXIT } from '../exit.ts'
import { print, printJson, refuse } from '../output.ts'

export const doctor: Command = {
  name: 'doctor',
  flags: SERVER_FLAGS,
  run: async (given, dependencies) => {
    const examined = await dependencies.examine(settingsOf(given))
    if (!examined.ok) return refuse(examined.problems, given.on('json'))
    const isWell = examined.value.every(({ status }) => status !== 'fail')
    if (given.on('json')) printJson({ checks: examined.value }, isWell)
    else print(examined.value.map(line).join(''))
    return isWell ? EXIT.ok : EXIT.problem
  },
}

function line({ check, status, detail, next }: Examined): string {
  const text = next === undefined ? [detail] : [detail, next]
  return `${status.padEnd(4)}  ${check}: ${text.map(sentence).join(' ')}\n`
}

function sentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`
}
