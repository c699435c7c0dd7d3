import type { Command } from './command.ts'
import { COMMON_FLAGS, type Flag } from './flags.ts'

const EXIT_HELP =
  'EXIT CODES 0 success, 1 refused or failed (also a result of only problems), 2 invalid command line (flags, arguments, their values)'

/** The flags of a command, with those that every command has. */
export function allFlags(command: Command): Readonly<Record<string, Flag>> {
  return { ...command.flags, ...COMMON_FLAGS }
}

/**
 * The help of one command.
 *
 * @param about what the command does, in one line
 */
export function commandHelp(command: Command, about: string): string {
  const { name, positionals = [] } = command
  const flags = Object.entries(allFlags(command))
  const required = flags.filter(([, flag]) => flag.required).map(([flag, { value }]) => `--${flag} ${value}`)
  const operands = positionals.map(({ name: operand, required: isRequired, repeatable, trailing }) => {
    if (trailing) return `[-- <${operand}>...]`
    const shown = `<${operand}>${repeatable ? '...' : ''}`
    return isRequired ? shown : `[${shown}]`
  })
  return [
    about,
    `USAGE plasmid ${[name, ...required, '[flags]', ...operands].join(' ')}`,
    ...(positionals.length === 0
      ? []
      : [
          section(
            'ARGUMENTS',
            positionals.map((one) => [`<${one.name}>`, one.description]),
          ),
        ]),
    section('FLAGS', flags.map(flagRow)),
    `${EXIT_HELP}\n`,
  ].join('\n\n')
}

function flagRow([name, { value, short, description, repeatable, required }]: readonly [string, Flag]): Row {
  const left = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`
  const notes = [...(required ? ['required'] : []), ...(repeatable ? ['may be repeated'] : [])]
  return [left, notes.length === 0 ? description : `${description} (${notes.join(', ')})`]
}

/** The help of all commands, or of a group of them. */
export function overviewHelp(version: string, commands: readonly Row[]): string {
  return [
    `Logical sessions and typed programs between an agent and every API (plasmid v${version})`,
    'USAGE plasmid <command>',
    section('COMMANDS', commands),
    `Run \`plasmid <command> --help\` for the flags of a command.`,
    `${EXIT_HELP}\n`,
  ].join('\n\n')
}

/** A name, and what it is. */
type Row = readonly [name: string, text: string]

function section(title: string, rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return [title, '', ...rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)].join('\n')
}
