import { nearest } from '../../base/suggest.ts'
import type { Command } from './command.ts'
import { COMMANDS } from './command-table.ts'
import type { CliDependencies } from './dependencies.ts'
import { readFlags } from './flags.ts'
import { allFlags, commandHelp, overviewHelp } from './help.ts'
import { EXIT, type Exit } from './exit.ts'
import { print, printJson, refuse } from './output.ts'
import { cliProblem } from './problems.ts'

const NAMES = [...COMMANDS.keys()]

/** Runs `plasmid` with these arguments; gives the exit code. */
export async function runCli(args: readonly string[], dependencies: CliDependencies): Promise<Exit> {
  const [first, second] = args
  if (first === undefined || isHelp(first)) return help(undefined, dependencies)
  if (first === '--version' || first === '-v') return printVersion(dependencies, args.includes('--json'))
  if (first === 'help') {
    const topic = args.slice(1).filter((word) => word !== 'help' && !word.startsWith('-'))
    return help(topic.join(' ') || undefined, dependencies)
  }
  const two = `${first} ${second ?? ''}`
  const name = COMMANDS.has(two) ? two : first
  const listed = COMMANDS.get(name)
  if (listed) return runCommand(await listed.load(), args.slice(name.split(' ').length), dependencies)
  const group = groupOf(first)
  if (group.length === 0) return unknownCommand(first, args)
  if (second !== undefined && isHelp(second)) return help(first, dependencies)
  if (second !== undefined && !second.startsWith('-')) return unknownCommand(two, args, group)
  const problem = cliProblem('incomplete_command', { name: first, whole: group })
  return refuse([problem], args.includes('--json'))
}

function printVersion({ version: own }: CliDependencies, asJson: boolean): Exit {
  if (asJson) printJson({ version: own })
  else print(`${own}\n`)
  return EXIT.ok
}

/** Parses the arguments strictly, then runs the command or prints its help. */
async function runCommand(
  command: Command,
  args: readonly string[],
  dependencies: CliDependencies,
): Promise<Exit> {
  const given = readFlags(command.name, args, allFlags(command), command.positionals ?? [])
  if (!given.ok) return refuse(given.problems, args.includes('--json'))
  if (!given.value.on('help')) return command.run(given.value, dependencies)
  print(commandHelp(command, COMMANDS.get(command.name)?.about ?? ''))
  return EXIT.ok
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}

/** The commands of two words that begin with this one. */
function groupOf(word: string): readonly string[] {
  return NAMES.filter((name) => name.startsWith(`${word} `))
}

async function help(topic: string | undefined, { version }: CliDependencies): Promise<Exit> {
  if (topic === undefined) return (print(overview(version, NAMES)), EXIT.ok)
  if (topic === 'language') return (print((await import('../../engine/index.ts')).GRAMMAR), EXIT.ok)
  const listed = COMMANDS.get(topic)
  const group = groupOf(topic)
  if (listed) print(commandHelp(await listed.load(), listed.about))
  else if (group.length > 0) print(overview(version, group))
  else return unknownCommand(topic, [])
  return EXIT.ok
}

function overview(version: string, names: readonly string[]): string {
  const rows = names.map((name) => [name, COMMANDS.get(name)?.about ?? ''] as const)
  const language = ['help language', 'The program language on one page'] as const
  return overviewHelp(version, names === NAMES ? [...rows, language] : rows)
}

function unknownCommand(
  name: string,
  args: readonly string[],
  options: readonly string[] = [...NAMES, 'help'],
): Exit {
  const similar = nearest(name, options)
  return refuse(
    [cliProblem('unknown_command', { name, similar }, { nearest: similar })],
    args.includes('--json'),
  )
}
