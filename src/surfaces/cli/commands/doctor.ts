import { type Command, engineSettings } from '../command.ts'
import { ENGINE_FLAGS } from '../flags.ts'
import type { Examined } from '../dependencies.ts'
import { EXIT, print, refuse } from '../output.ts'

export const doctor: Command = {
  name: 'doctor',
  description: 'Look at everything that a start needs, and say what to do',
  flags: {
    host: { value: 'ADDRESS', description: 'Where `serve` would listen (default: 127.0.0.1)' },
    port: { value: 'PORT', description: 'Default: 7750' },
    auth: { value: 'token|required|optional|off', description: 'As `serve` would be told' },
    ...ENGINE_FLAGS,
  },
  run: async (given, dependencies) => {
    const port = given.text('port')
    const examined = await dependencies.examine({
      flags: {
        ...engineSettings(given),
        host: given.text('host'),
        // What is no number is for the settings to refuse.
        port: port !== undefined && /^\d{1,5}$/.test(port) ? Number(port) : port,
        auth: given.text('auth'),
      },
      file: given.text('config'),
    })
    if (!examined.ok) return refuse(examined.problems, given.on('json'), EXIT.problem)
    const isWell = examined.value.every(({ status }) => status !== 'fail')
    print(
      given.on('json')
        ? `${JSON.stringify({ ok: isWell, checks: examined.value }, undefined, 2)}\n`
        : examined.value.map(line).join(''),
    )
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
