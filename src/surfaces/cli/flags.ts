import { ownValue } from '../../base/json.ts'
import { parseArgs } from 'node:util'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { nearest } from '../../base/suggest.ts'
import { cliProblem } from './problems.ts'

type Flags = Readonly<Record<string, Flag>>

/** One flag of a command. */
export interface Flag {
  /** The placeholder of its value; a flag without one is a switch. */
  readonly value?: string
  readonly repeatable?: true
  readonly short?: string
  readonly required?: true
  readonly description: string
}

/** An argument that is not a flag. */
export interface Positional {
  readonly name: string
  readonly required?: true
  readonly repeatable?: true
  /** Everything after `--`; it is in `after`. */
  readonly trailing?: true
  readonly description: string
}

/** Parsed flags and arguments. */
export interface Given {
  readonly text: (flag: string) => string | undefined
  readonly texts: (flag: string) => readonly string[]
  readonly on: (flag: string) => boolean
  readonly positionals: readonly string[]
  /** What stands after `--`, for a command that takes it. */
  readonly after: readonly string[]
}

/** On every command. */
export const COMMON_FLAGS: Readonly<Record<string, Flag>> = {
  json: { description: 'Print JSON' },
  help: { short: 'h', description: 'Show this help' },
}

/**
 * Parses a command line strictly, and reports all its problems together.
 *
 * Gives `unknown_flag`, `missing_value`, `unexpected_value`, `missing_operand` or `too_many_arguments`.
 */
export function readFlags(
  command: string,
  args: readonly string[],
  flags: Flags,
  declared: readonly Positional[],
): Result<Given> {
  const positionals = declared.filter(({ trailing }) => trailing !== true)
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, optionOf(flag)])),
    strict: false,
    tokens: true,
  })
  const values = new Map<string, string[]>()
  const rest: string[] = []
  const after: string[] = []
  let target = rest
  const problems: Problem[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') target.push(token.value)
    if (token.kind === 'option-terminator' && positionals.length < declared.length) target = after
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
    after,
  }
  // With --help, required flags and arguments may be absent.
  if (given.on('help') && problems.length === 0) return ok(given)
  // The value of an unknown flag counts as an argument, so their number means nothing then.
  const isCountable = !problems.some(({ code }) => code === 'unknown_flag')
  problems.push(...missingFlags(command, given, flags))
  if (isCountable) problems.push(...countProblems(command, rest.length, positionals))
  return problems.length > 0 ? failed(problems) : ok(given)
}

function optionOf({ value, short }: Flag) {
  return {
    type: value === undefined ? 'boolean' : 'string',
    ...(short !== undefined && { short }),
  } as const
}

function flagProblem(
  command: string,
  {
    name,
    rawName,
    value,
  }: { readonly name: string; readonly rawName: string; readonly value: string | undefined },
  flags: Flags,
): Problem | undefined {
  const flag = ownValue(flags, name)
  if (!flag) {
    const similar = nearest(name, Object.keys(flags)).map((one) => `--${one}`)
    return cliProblem('unknown_flag', { flag: rawName, command, similar }, { nearest: similar })
  }
  if (flag.value === undefined)
    return value === undefined ? undefined : cliProblem('unexpected_value', { flag: rawName })
  return value === undefined ? cliProblem('missing_value', { flag: rawName, hint: flag.value }) : undefined
}

function missingFlags(command: string, given: Given, flags: Flags): Problem[] {
  return Object.entries(flags)
    .filter(([name, { required }]) => required && !given.on(name))
    .map(([name, { value }]) =>
      cliProblem('missing_operand', { command, name: `--${name} ${value ?? ''}`.trim() }),
    )
}

function countProblems(command: string, count: number, positionals: readonly Positional[]): Problem[] {
  const most = positionals.at(-1)?.repeatable ? Infinity : positionals.length
  return [
    ...positionals
      .slice(count)
      .filter(({ required }) => required)
      .map(({ name }) => cliProblem('missing_operand', { command, name: `<${name}>` })),
    ...(count > most ? [cliProblem('too_many_arguments', { command, most, actual: count })] : []),
  ]
}
