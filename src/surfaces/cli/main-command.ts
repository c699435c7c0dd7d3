import { defineCommand, renderUsage } from 'citty'
import { nearest } from '../../base/suggest.ts'
import { plain, runCommand, toCitty, usageOf, type Command } from './command.ts'
import type { CliDependencies } from './dependencies.ts'
import { EXIT, print, refuse, type Exit } from './output.ts'
import { cliProblem } from './problems.ts'

/** Each command in a file of its own, which is read only when it is asked for. */
const COMMANDS = new Map<string, () => Promise<Command>>([
  ['serve', async () => (await import('./commands/serve.ts')).serve],
  ['mcp', async () => (await import('./commands/mcp.ts')).mcp],
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
  ['doctor', async () => (await import('./commands/doctor.ts')).doctor],
  ['catalog check', async () => (await import('./commands/catalog.ts')).catalogCheck],
])
const NAMES = [...COMMANDS.keys()]

/** Runs `plasmid` with these arguments and answers its exit code. */
export async function runCli(args: readonly string[], dependencies: CliDependencies): Promise<Exit> {
  const [first, second] = args
  if (first === undefined || isHelp(first)) return help(undefined, dependencies)
  if (first === '--version' || first === '-v') return (print(`${dependencies.version}\n`), EXIT.ok)
  if (first === 'help') return help(args.slice(1).join(' ') || undefined, dependencies)
  const two = `${first} ${second ?? ''}`
  const name = COMMANDS.has(two) ? two : first
  const load = COMMANDS.get(name)
  if (load) return runCommand(await load(), args.slice(name.split(' ').length), dependencies)
  const group = groupOf(first)
  if (group.length === 0) return unknownCommand(first, args)
  if (second !== undefined && isHelp(second)) return help(first, dependencies)
  if (second !== undefined && !second.startsWith('-')) return unknownCommand(two, args, group)
  const problem = cliProblem('incomplete_command', { name: first, whole: group })
  return refuse([problem], args.includes('--json'), EXIT.usage)
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}

/** The commands that begin with this word and another. */
function groupOf(word: string): readonly string[] {
  return NAMES.filter((name) => name.startsWith(`${word} `))
}

async function help(topic: string | undefined, dependencies: CliDependencies): Promise<Exit> {
  if (topic === undefined) return (print(await overview(dependencies, NAMES)), EXIT.ok)
  if (topic === 'language') return (print((await import('../../engine/index.ts')).GRAMMAR), EXIT.ok)
  const load = COMMANDS.get(topic)
  const group = groupOf(topic)
  if (load) print(await usageOf(await load()))
  else if (group.length > 0) print(await overview(dependencies, group))
  else return unknownCommand(topic, [])
  return EXIT.ok
}

async function overview({ version }: CliDependencies, names: readonly string[]): Promise<string> {
  const commands = await Promise.all(
    names.map(async (name) => {
      const load = COMMANDS.get(name)
      return load ? [[name, toCitty(await load(), name)] as const] : []
    }),
  )
  const language = defineCommand({
    meta: { description: 'The program language on one page; `help <command>`: the help of a command' },
  })
  const text = await renderUsage(
    defineCommand({
      meta: {
        name: 'plasmid',
        version,
        description: 'Logical sessions and typed programs between an agent and every API',
      },
      subCommands: Object.fromEntries([
        ...commands.flat(),
        ...(names === NAMES ? [['help language', language] as const] : []),
      ]),
    }),
  )
  // All names in one line say less than the table below it.
  return plain(text.replace(/(USAGE.*plasmid ).*/, '$1<command>'))
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
    EXIT.usage,
  )
}
