import { parseArgs } from 'node:util'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { nearest } from '../../base/suggest.ts'
import { cliProblem } from './problems.ts'

/** One flag of a command. */
export interface Flag {
  /** Without one it is a switch. */
  readonly value?: string
  readonly repeatable?: true
  readonly short?: string
  readonly required?: true
  readonly description: string
}

/** What stands behind the command besides flags. */
export interface Positional {
  readonly name: string
  readonly required?: true
  readonly repeatable?: true
  readonly description: string
}

/** Flags and arguments as they were given. */
export interface Given {
  readonly text: (flag: string) => string | undefined
  readonly texts: (flag: string) => readonly string[]
  readonly on: (flag: string) => boolean
  readonly positionals: readonly string[]
}

/** On every command that starts an engine. */
export const ENGINE_FLAGS: Readonly<Record<string, Flag>> = {
  catalog: { value: 'PATH', repeatable: true, description: 'Also serve this catalog folder or document' },
  'no-shipped': { description: 'Leave out the catalogs that come with Plasmid' },
  backend: { value: 'ID=ORIGIN', repeatable: true, description: "Where a catalog's API is" },
  effects: {
    value: 'ID=POLICY',
    repeatable: true,
    description: 'What becomes of writes to a catalog (* for all others): allow, review, confirm or deny',
  },
  store: {
    value: 'sqlite|memory|redis|redis://HOST',
    description: 'Where sessions are kept (default: sqlite)',
  },
  'data-dir': { value: 'PATH', description: 'Where sessions, the secret and the token are kept' },
  config: { value: 'FILE', description: 'Read settings from a YAML or JSON file' },
}

/** On every command. */
export const COMMON_FLAGS: Readonly<Record<string, Flag>> = {
  json: { description: 'Print JSON' },
  help: { short: 'h', description: 'Show this help' },
}

/**
 * Reads a command line strictly: an unknown flag, a missing value and a missing argument are all named at once.
 *
 * Gives `unknown_flag`, `missing_value`, `unexpected_value`, `missing_operand` or `too_many_arguments`.
 */
export function readFlags(
  command: string,
  args: readonly string[],
  flags: Readonly<Record<string, Flag>>,
  positionals: readonly Positional[],
): Result<Given> {
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, optionOf(flag)])),
    strict: false,
    tokens: true,
  })
  const values = new Map<string, string[]>()
  const rest: string[] = []
  const problems: Problem[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') rest.push(token.value)
    if (token.kind !== 'option') continue
    const wrong = flagProblem(command, token, flags)
    if (wrong) problems.push(wrong)
    else values.set(token.name, [...(values.get(token.name) ?? []), token.value ?? ''])
  }
  const given: Given = {
    text: (flag) => values.get(flag)?.at(-1),
    texts: (flag) => values.get(flag) ?? [],
    on: (flag) => values.has(flag),
    positionals: rest,
  }
  // Who asks for help need not have the rest right.
  if (given.on('help') && problems.length === 0) return ok(given)
  // The value of a flag that nobody knows stands among the arguments: their number says nothing then.
  const isCountable = !problems.some(({ code }) => code === 'unknown_flag')
  problems.push(...missing(command, given, flags, positionals, isCountable))
  return problems.length > 0 ? failed(problems) : ok(given)
}

function optionOf({ value, short }: Flag) {
  return {
    type: value === undefined ? 'boolean' : 'string',
    ...(short === undefined ? {} : { short }),
  } as const
}

function flagProblem(
  command: string,
  {
    name,
    rawName,
    value,
  }: { readonly name: string; readonly rawName: string; readonly value: string | undefined },
  flags: Readonly<Record<string, Flag>>,
): Problem | undefined {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
  if (!flag) {
    const similar = nearest(name, Object.keys(flags)).map((one) => `--${one}`)
    return cliProblem('unknown_flag', { flag: rawName, command, similar }, { nearest: similar })
  }
  if (flag.value === undefined)
    return value === undefined ? undefined : cliProblem('unexpected_value', { flag: rawName })
  return value === undefined ? cliProblem('missing_value', { flag: rawName, hint: flag.value }) : undefined
}

function missing(
  command: string,
  given: Given,
  flags: Readonly<Record<string, Flag>>,
  positionals: readonly Positional[],
  isCountable: boolean,
): Problem[] {
  const problems = Object.entries(flags)
    .filter(([name, { required }]) => required && !given.on(name))
    .map(([name, { value }]): Problem =>
      cliProblem('missing_operand', { command, name: `--${name} ${value ?? ''}`.trim() }),
    )
  const count = given.positionals.length
  for (const { name } of positionals
    .slice(isCountable ? count : Infinity)
    .filter(({ required }) => required)) {
    problems.push(cliProblem('missing_operand', { command, name: `<${name}>` }))
  }
  const most = positionals.at(-1)?.repeatable ? Infinity : positionals.length
  if (isCountable && count > most)
    problems.push(cliProblem('too_many_arguments', { command, most, actual: count }))
  return problems
}
