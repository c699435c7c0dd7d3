import { nearest } from '../../base/suggest.ts'
import type { Command } from './command.ts'
import type { CliDependencies } from './dependencies.ts'
import { readFlags } from './flags.ts'
import { allFlags, commandHelp, overviewHelp } from './help.ts'
import { EXIT, type Exit } from './exit.ts'
import { print, refuse } from './output.ts'
import { cliProblem } from './problems.ts'

/** Each command is loaded on demand. */
const COMMANDS = new Map<string, () => Promise<Command>>([
  ['serve', async () => (await import('./commands/serve.ts')).serve],
  ['mcp', async () => (await import('./commands/mcp.ts')).mcp],
  ['acp', async () => (await import('./commands/acp.ts')).acp],
  ['discover', async () => (await import('./commands/discover.ts')).discover],
  ['context', async () => (await import('./commands/context.ts')).context],
  ['plan', async () => (await import('./commands/plan.ts')).plan],
  ['run', async () => (await import('./commands/run.ts')).run],
  ['page', async () => (await import('./commands/page.ts')).page],
  ['sessions', async () => (await import('./commands/sessions.ts')).sessions],
  ['close', async () => (await import('./commands/close.ts')).close],
  ['keys add', async () => (await import('./commands/keys.ts')).keysAdd],
  ['keys list', async () => (await import('./commands/keys.ts')).keysList],
  ['keys revoke', async () => (await import('./commands/keys.ts')).keysRevoke],
  ['policy set', async () => (await import('./commands/policy.ts')).policySet],
  ['policy show', async () => (await import('./commands/policy.ts')).policyShow],
  ['init', async () => (await import('./commands/init.ts')).init],
  ['add', async () => (await import('./commands/add.ts')).add],
  ['remove', async () => (await import('./commands/remove.ts')).remove],
  ['add mcp', async () => (await import('./commands/add-mcp.ts')).addMcp],
  ['list', async () => (await import('./commands/list.ts')).list],
  ['auth login', async () => (await import('./commands/auth.ts')).authLogin],
  ['auth logout', async () => (await import('./commands/auth.ts')).authLogout],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctor],
  ['catalog check', async () => (await import('./commands/catalog/check.ts')).catalogCheck],
  ['catalog show', async () => (await import('./commands/catalog/show.ts')).catalogShow],
  ['catalog diff', async () => (await import('./commands/catalog/diff.ts')).catalogDiff],
])
const NAMES = [...COMMANDS.keys()]

/** Runs `plasmid` with these arguments; gives the exit code. */
export async function runCli(args: readonly string[], dependencies: CliDependencies): Promise<Exit> {
  const [first, second] = args
  if (first === undefined || isHelp(first)) return help(undefined, dependencies)
  if (first === '--version' || first === '-v') return (print(`${dependencies.version}\n`), EXIT.ok)
  if (first === 'help') {
    const topic = args.slice(1).filter((word) => word !== 'help' && !word.startsWith('-'))
    return help(topic.join(' ') || undefined, dependencies)
  }
  const two = `${first} ${second ?? ''}`
  const name = COMMANDS.has(two) ? two : first
  const load = COMMANDS.get(name)
  if (load) return runCommand(await load(), args.slice(name.split(' ').length), dependencies)
  const group = groupOf(first)
  if (group.length === 0) return unknownCommand(first, args)
  if (second !== undefined && isHelp(second)) return help(first, dependencies)
  if (second !== undefined && !second.startsWith('-')) return unknownCommand(two, args, group)
  const problem = cliProblem('incomplete_command', { name: first, whole: group })
  return refuse([problem], args.includes('--json'))
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
  print(commandHelp(command))
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
  if (topic === undefined) return (print(await overview(version, NAMES)), EXIT.ok)
  if (topic === 'language') return (print((await import('../../engine/index.ts')).GRAMMAR), EXIT.ok)
  const load = COMMANDS.get(topic)
  const group = groupOf(topic)
  if (load) print(commandHelp(await load()))
  else if (group.length > 0) print(await overview(version, group))
  else return unknownCommand(topic, [])
  return EXIT.ok
}

async function overview(version: string, names: readonly string[]): Promise<string> {
  const rows = await Promise.all(
    names.map(async (name) => [name, (await COMMANDS.get(name)?.())?.description ?? ''] as const),
  )
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
