import type { Problem } from '../../base/diagnostic.ts'
import type { Reply, RunFacts } from '../../engine/index.ts'

/**
 * Texts of the engine name the tools of MCP and their arguments: here they name commands and their flags. The order matters:
 * a longer form stands before a part of it.
 */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /Ask your user to confirm when prompted, or to run the program with plan `\w+` on the command line; otherwise omit it\./g,
    'Run the same command at a terminal, where a person is asked to agree, or omit the change.',
  ],
  [/the `plasm_context` answer/g, 'the answer of `plasmid context`'],
  [/\bCall (?=`?(?:plasm|plasm_context|plasm_run|discover_capabilities)\b)/g, 'Run '],
  [/\bcall (?=`?(?:plasm|plasm_context|plasm_run|discover_capabilities)\b)/g, 'run '],
  [/`?\bplasm_context\b`?/g, '`plasmid context`'],
  [/`?\bplasm_run\b`?/g, '`plasmid run`'],
  [/`?\bdiscover_capabilities\b`?/g, '`plasmid discover`'],
  [/`plasm`/g, '`plasmid plan`'],
  [/the seed \{"api": "([^"]+)", "entity": "([^"]+)"\}/g, '`--seed $1:$2`'],
  [/`plan`: `(\w+)`/g, '`--plan $1`'],
  [/`logical_session_ref`: `(\w+)`/g, '`--ref $1`'],
  [/`(intent|plan|have)`/g, '`--$1`'],
  [/`seeds`/g, '`--seed`'],
  [/`logical_session_ref`/g, '`--ref`'],
]

/** The sentence with the commands and flags of the command line. */
export function inCommands(sentence: string): string {
  return WORDS.reduce((text, [tool, command]) => text.replace(tool, command), sentence)
}

/** A refusal whose next steps are commands. What happened is left as it is: it may quote a program or an API. */
export function refusalInCommands(text: string, problems: readonly Problem[]): string {
  const sentences = new Set(problems.map(({ next }) => next))
  return [...sentences].reduce((whole, next) => whole.replaceAll(next, () => inCommands(next)), text)
}

/** The answer of a run: its notes on problems and on the next pages are in commands, its rows stay. */
export function runInCommands({
  text,
  meta,
  facts: { problems },
}: Extract<Reply<RunFacts>, { ok: true }>): string {
  const handles = (meta.paging ?? []).map(({ next_page_handle: handle }) => handle)
  return handles.reduce(
    (whole, handle) =>
      whole.replace(
        `\nmore pages available - use \`page(${handle})\` for the next page.`,
        `\nmore pages available - run \`plasmid page ${handle}\` for the next page.`,
      ),
    refusalInCommands(text, problems),
  )
}

/** An answer whose notes are in commands: lines in `_…_`, which are ours. Its tables and plans stay as they are. */
export function notesInCommands(text: string): string {
  return text.replace(/^_[A-Z].*$/gm, inCommands)
}
