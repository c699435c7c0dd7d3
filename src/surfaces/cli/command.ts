import { defineCommand, renderUsage, type ArgsDef, type CommandDef } from 'citty'
import { stripVTControlCharacters } from 'node:util'
import { COMMON_FLAGS, readFlags, type Flag, type Given, type Positional } from './flags.ts'
import type { Engine, CliDependencies } from './dependencies.ts'
import { EXIT, EXIT_HELP, print, refuse, say, type Exit } from './output.ts'

/** One command, as its file writes it down. */
export interface Command {
  /** As it is typed: `catalog check`. */
  readonly name: string
  readonly description: string
  readonly positionals?: readonly Positional[]
  readonly flags?: Readonly<Record<string, Flag>>
  readonly run: (given: Given, dependencies: CliDependencies) => Promise<Exit>
}

/** Runs a command by its arguments: strictly read, or its help. */
export async function runCommand(
  command: Command,
  args: readonly string[],
  dependencies: CliDependencies,
): Promise<Exit> {
  const given = readFlags(command.name, args, allFlags(command), command.positionals ?? [])
  if (!given.ok) return refuse(given.problems, args.includes('--json'), EXIT.usage)
  if (!given.value.on('help')) return command.run(given.value, dependencies)
  print(await usageOf(command))
  return EXIT.ok
}

/** The help of a command. */
export async function usageOf(command: Command): Promise<string> {
  return plain(await renderUsage(toCitty(command)))
}

/** A command as citty describes it: for the help only, since citty lets unknown flags pass and knows no repeated ones. */
export function toCitty(command: Command, name = `plasmid ${command.name}`): CommandDef {
  const args: ArgsDef = {}
  for (const { name: positional, description, required } of command.positionals ?? []) {
    args[positional] = { type: 'positional', description, required: required === true }
  }
  for (const [flag, { value, short, description, repeatable, required }] of Object.entries(
    allFlags(command),
  )) {
    const alias = short === undefined ? {} : { alias: short }
    const text = repeatable ? `${description} (may be repeated)` : description
    if (value === undefined) args[flag] = { type: 'boolean', description: text, ...alias }
    else
      args[flag] = {
        type: 'string',
        valueHint: value,
        description: text,
        required: required === true,
        ...alias,
      }
  }
  return defineCommand({ meta: { name, description: command.description }, args })
}

/** A help's text, with the exit codes; without colours where nobody sees them or nobody wants them. */
export function plain(usage: string): string {
  const isColoured = process.stdout.isTTY && !process.env['NO_COLOR']
  const text = isColoured ? usage : stripVTControlCharacters(usage)
  return `${text.replaceAll(/ +$/gm, '').trimEnd()}\n\n${EXIT_HELP}\n`
}

/** Opens an engine by the flags, lets `work` use it, and shuts it down. */
export async function withEngine(
  given: Given,
  dependencies: CliDependencies,
  work: (engine: Engine) => Promise<Exit>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Exit> {
  const opened = await dependencies.open({
    flags: { ...engineSettings(given), ...more },
    file: given.text('config'),
  })
  if (!opened.ok) return refuse(opened.problems, given.on('json'), EXIT.problem)
  const engine = opened.value
  // Of several processes that are alike, the first one speaks for all.
  if ((dependencies.worker?.id ?? 1) === 1) for (const notice of engine.notices) say(notice)
  try {
    return await work(engine)
  } finally {
    await engine.shutDown()
  }
}

/** The flags of `ENGINE_FLAGS` by the names of the configuration. */
export function engineSettings(given: Given): Record<string, unknown> {
  return {
    catalogs: given.on('catalog') ? given.texts('catalog') : undefined,
    shipped: given.on('no-shipped') ? false : undefined,
    backends: given.on('backend') ? given.texts('backend') : undefined,
    effects: given.on('effects') ? given.texts('effects') : undefined,
    store: given.text('store'),
    data_dir: given.text('data-dir'),
  }
}

function allFlags(command: Command): Readonly<Record<string, Flag>> {
  return { ...command.flags, ...COMMON_FLAGS }
}
