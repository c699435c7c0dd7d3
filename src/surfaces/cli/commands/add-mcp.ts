import { counted } from '../../../base/text/counted.ts'
import { visible } from '../../../base/text/one-line.ts'
import type { Problem } from '../../../base/diagnostic.ts'
import { toEntry } from '../../bodies/entry.ts'
import type { Command } from '../command.ts'
import type { AddedServer, WantedServer } from '../dependencies.ts'
import { EXIT, type Exit } from '../exit.ts'
import type { Given } from '../flags.ts'
import { print, printJson, refuse, say } from '../output.ts'
import { badValue, cliProblem } from '../problems.ts'
import { CATALOG_FLAGS, settingsOf } from '../setting-flags.ts'
import { sameFlags } from '../same-flags.ts'
import { tryFirst } from '../try-first.ts'

export const addMcp: Command = {
  name: 'add mcp',
  positionals: [
    {
      name: 'name',
      required: true,
      description: 'Its name in goals and seeds; may be left out before an address',
    },
    { name: 'url', description: 'The http(s) address of a server over HTTP' },
    { name: 'command', trailing: true, description: 'The program of a server over stdio, and its arguments' },
  ],
  flags: {
    env: {
      value: 'KEY=VALUE',
      short: 'e',
      repeatable: true,
      description:
        'A variable of the program; a secret as KEY=env:NAME, or KEY alone for the variable of that name',
    },
    header: {
      value: 'NAME: VALUE',
      short: 'H',
      repeatable: true,
      description: 'A header of each request; `${NAME}` in it stands for a variable',
    },
    reads: {
      value: 'TOOL',
      repeatable: true,
      description:
        'A tool that changes nothing, or `annotated`: those that the server says it of (default: none)',
    },
    'no-try': { description: 'List the tools, and call none' },
    ...CATALOG_FLAGS,
  },
  run: async (given, dependencies) => {
    const read = wantedOf(given)
    if ('problem' in read) return refuse([read.problem], given.on('json'))
    const opened = await dependencies.catalogs(settingsOf(given), { mayBeNew: true })
    if (!opened.ok) return refuse(opened.problems, given.on('json'))
    const progress = (line: string) => {
      if (process.stderr.isTTY) say(line)
    }
    const added = await opened.value.addServer(read.wanted, progress)
    if (!added.ok) return refuse(added.problems, given.on('json'))
    const tried = await tryFirst(added.value, settingsOf(given), given, dependencies)
    return showServer(added.value, tried, given)
  },
}

/** What the command line asks for, or what is wrong with it. Values of variables and headers are not repeated. */
function wantedOf(given: Given): { readonly wanted: WantedServer } | { readonly problem: Problem } {
  const [first = '', second] = given.positionals
  const url = second ?? (isAddress(first) ? first : undefined)
  const command = given.after
  if (url === undefined && command.length === 0)
    return {
      problem: cliProblem('missing_operand', {
        command: 'add mcp',
        name: 'an address, or `--` and a program',
      }),
    }
  if (url !== undefined && command.length > 0)
    return { problem: badValue('<url>', 'left out where a program is given', url) }
  if (url !== undefined && !isAddress(url)) return { problem: badValue('<url>', 'an http(s) address', url) }
  const headers = pairsOf(given.texts('header'), /^([^:\s]+):\s*(.*)$/)
  if (!headers) return { problem: badValue('--header', '`NAME: VALUE`', 'another text') }
  const env = pairsOf(given.texts('env').map(withValue), /^([A-Za-z_]\w*)=(.*)$/s)
  if (!env) return { problem: badValue('--env', 'KEY=VALUE', 'another text') }
  const name = first === url ? undefined : first
  return { wanted: { name, url, command, env, headers, reads: given.texts('reads') } }
}

export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** A name alone stands for the variable of this name. */
function withValue(pair: string): string {
  return /^[A-Za-z_]\w*$/.test(pair) ? `${pair}=env:${pair}` : pair
}

function pairsOf(texts: readonly string[], form: RegExp): Readonly<Record<string, string>> | undefined {
  const pairs = texts.map((text) => form.exec(text))
  if (!pairs.every((pair) => pair !== null)) return undefined
  return Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, value]))
}

const MAX_TOOLS = 20

/** Names of the configuration come before those that are shipped. */
export function inPlaceOf(id: string): string {
  return `It is served in place of the catalog \`${id}\` that comes with Plasmid.`
}

/** Prints a new server: its tools, and what to try first. */
export function showServer(added: AddedServer, tried: string | undefined, given: Given): Exit {
  if (given.on('json')) printJson({ ...toEntry(added), ...(tried !== undefined && { tried }) })
  else print(summary(added, tried, given))
  return EXIT.ok
}

function summary(added: AddedServer, tried: string | undefined, given: Given): string {
  const { id, entities, tools, config, warnings, first } = added
  const more = tools.length > MAX_TOOLS ? `, … (${tools.length - MAX_TOOLS} more)` : ''
  const lines = [
    `Added \`${id}\` to ${config}: ${counted(tools.length, 'tool')} of ${counted(entities, 'entity', 'entities')}. Running servers take it up when they start again.`,
    `  ${visible(tools.slice(0, MAX_TOOLS).join(', '))}${more}`,
    ...(added.replaces ? [inPlaceOf(id)] : []),
    readsText(added),
    ...(warnings > 0 ? [`${counted(warnings, 'warning')}: they are printed when Plasmid starts.`] : []),
    ...(first
      ? [
          '',
          `Try this goal: ${visible(first.goal)}`,
          `  plasmid context --intent ${JSON.stringify(visible(first.goal))} --seed ${id}:${first.entity}${sameFlags(given)}`,
          ...(first.program === undefined
            ? []
            : [
                `  plasmid run --ref s0 '${first.program}'${sameFlags(given)}    (with the ref that the first command prints)`,
              ]),
        ]
      : []),
    ...(tried === undefined ? [] : ['', tried.trimEnd()]),
  ]
  return `${lines.join('\n')}\n`
}

function readsText({ reads, annotated }: AddedServer): string {
  if (reads > 0) return `${reads} of them ${changesNothing(reads)}.`
  return annotated === 0
    ? 'Each tool counts as a change: name those that change nothing with `reads` in the configuration.'
    : `Each tool counts as a change. The server says that ${annotated} of them ${changesNothing(annotated)}: write \`reads: annotated\` in the configuration to trust it.`
}

function changesNothing(count: number): string {
  return `change${count === 1 ? 's' : ''} nothing`
}
