import { oneOf, problemsOf } from '../base/diagnostic.ts'
import type { EffectOutcome } from './outcome.ts'

/** The call that a problem is about. */
export interface Where {
  readonly catalog: string
  readonly capability: string
  /** As the table teaches it: `Issue` for its rows, `Issue.close` for a method. */
  readonly called: string
}

/** The call as messages name it. */
export const at = ({ catalog, called }: Where): string =>
  `\`${catalog === '' ? '' : `${catalog}.`}${called}\``
const cut = (text: string) => (text.length > 120 ? `${text.slice(0, 117)}...` : text)
/** The words of an API, as its own: a quotation cannot be taken for ours. */
const said = (detail: string) => detail && `: "${detail.replaceAll('"', "'")}"`
const countsOf = (p: OutcomeCounts) =>
  [
    `${p.done} done`,
    ...(p.failed > 0 ? [`${p.failed} failed`] : []),
    ...(p.unknown > 0 ? [`${p.unknown} unknown`] : []),
    ...(p.unsent > 0 ? [`${p.unsent} not sent`] : []),
  ].join(', ')
const rowsOf = (count: number) => `${count} ${count === 1 ? 'row' : 'rows'}`

/** The start of an instruction to look at what a change was to change, by the expression that reads it. */
export function readTelling(read: string | undefined): string {
  return read === undefined ? 'Look at the data in the API itself' : `Read \`${read}\``
}

/** A change that was sent: its read tells what became of it. */
interface SentEffect extends Where {
  /** The expression that reads what it was to change, where one can. */
  readonly read: string | undefined
}

type OutcomeCounts = Readonly<Record<'done' | 'failed' | 'unknown' | 'unsent', number>>

/** The row of a loop that stopped it, from 1, and why. */
interface StoppingRow {
  readonly what: string
  readonly row: number
  readonly all: number
  readonly reason: string
}

/** A look-up that gave several rows, or none. */
interface NotPicked extends Where {
  readonly entity: string
  readonly field: string
  readonly value: string
  readonly count: number
}

const BUDGET_WORDS = {
  calls: 'calls',
  rows: 'rows',
  bytes: 'bytes of answers',
  time: 'milliseconds',
  effects: 'changes',
}

/** Problems of a run. */
export const problem = problemsOf({
  // Calls
  call_failed: {
    message: (p: Where & { readonly reason: string; readonly next: string }) => `${at(p)}: ${p.reason}.`,
    next: (p: Where & { readonly reason: string; readonly next: string }) => p.next,
  },
  not_found: {
    message: (p: Where & { readonly detail: string }) =>
      `${at(p)}: the API has no such row${said(p.detail)}.`,
    next: () => 'Check the id: list the rows to find it.',
  },
  refused_credentials: {
    message: (p: Where & { readonly status: number; readonly detail: string }) =>
      `${at(p)}: the API refused the credentials (status ${p.status})${said(p.detail)}.`,
    next: (p: Where) =>
      `Ask the operator to check the credentials of \`${p.catalog}\` and their permissions; the program is correct.`,
  },
  rate_limited: {
    message: (p: Where & { readonly wait: string; readonly detail: string }) =>
      `${at(p)}: the API limits the request rate (status 429)${said(p.detail)}.`,
    next: (p: Where & { readonly wait: string; readonly detail: string }) =>
      `Run it again ${p.wait === '' ? 'later' : `in ${p.wait} s`}, or read less.`,
    repeats: true,
  },
  rejected: {
    message: (p: Where & { readonly status: number; readonly detail: string }) =>
      `${at(p)}: the API rejected the call with status ${p.status}${said(p.detail)}.`,
    next: ({ status }: { readonly status: number }) =>
      status === 409 || status === 412
        ? 'Read the row again: it exists already, or was changed since. Then correct the arguments as the API says.'
        : 'Correct the arguments as the API says.',
  },
  upstream_error: {
    message: (p: Where & { readonly status: number; readonly detail: string }) =>
      `${at(p)}: the API failed with status ${p.status}${said(p.detail)}.`,
    next: () => 'Run it again later; the program is correct.',
    repeats: true,
  },
  api_error: {
    message: (p: Where & { readonly detail: string }) =>
      `${at(p)}: the API answered with an error${said(p.detail)}.`,
    next: () => 'Correct the arguments as the API says.',
  },
  answer_partial: {
    message: (p: Where & { readonly detail: string }) =>
      `${at(p)}: the API left a part of the answer empty${said(p.detail)}.`,
    next: () => 'Use the rows as they are, or ask for fewer columns.',
  },
  unexpected_answer: {
    message: (p: Where & { readonly path: string; readonly found: string }) =>
      `${at(p)}: expected rows at ${p.path === '' ? 'the top of the answer' : `\`${p.path}\``}, got ${p.found}.`,
    next: (p: Where) =>
      `Report it to the maintainer of the catalog \`${p.catalog}\`; no other program reads this.`,
  },
  bad_rows: {
    message: (p: Where & { readonly bad: number; readonly all: number; readonly reason: string }) =>
      `${at(p)}: skipped ${p.bad} of ${rowsOf(p.all)}: ${p.reason}.`,
    next: (p: Where) =>
      `Use the remaining rows; report it to the maintainer of the catalog \`${p.catalog}\`.`,
  },
  list_cut: {
    message: (p: { readonly entity: string; readonly relation: string; readonly cut: number }) =>
      `The API has more rows of \`${p.relation}\` than its answer holds for ${rowsOf(p.cut)} of ${p.entity}.`,
    next: () =>
      'Read on with a larger limit or an offset, where the call takes one, or with a list of such rows.',
  },
  not_allowed: {
    message: (p: Where) => `${at(p)}: you no longer have the right to this call.`,
    next: () => 'Ask the operator for the right, or leave the call out.',
  },
  no_mcp_server: {
    message: (p: Where) => `${at(p)}: this process reaches no MCP servers.`,
    next: (p: Where) => `Ask the operator to configure the MCP server of \`${p.catalog}\`.`,
  },
  unsupported: {
    message: (p: Where & { readonly features: readonly string[] }) =>
      `${at(p)} cannot run here: it needs ${oneOf(p.features, 'and')}.`,
    next: () => 'Use another call that the table has for this entity.',
  },
  wrong_chain: {
    message: (p: Where & { readonly chain: number; readonly found: string }) =>
      `${at(p)}: the catalog describes chain ${p.chain}, and the node serves chain ${p.found}.`,
    next: () => 'Ask the operator to set the backend of the catalog to a node of its chain.',
  },
  cancelled: {
    message: (p: { readonly what: string }) => `The run was cancelled before ${p.what}.`,
    next: () => 'Run it again if the rest is still needed.',
    repeats: true,
  },
  budget_exhausted: {
    message: (p: {
      readonly kind: keyof typeof BUDGET_WORDS
      readonly used: number
      readonly limit: number
      readonly what: string
    }) => `The run exhausted its budget at ${p.what}: ${p.used} of ${p.limit} ${BUDGET_WORDS[p.kind]}.`,
    next: () => 'Narrow the read with conditions or `.limit(n)`, or read on from the page handle.',
  },

  // What is sent
  computed_value_mismatch: {
    message: (p: Where & { readonly name: string; readonly expected: string; readonly found: string }) =>
      `${at(p)}: \`${p.name}\` must be ${p.expected}, got ${cut(p.found)}.`,
    next: () => 'Take the value from another column, or write it in that form.',
  },
  contract_argument: {
    message: (p: Where & { readonly function: string; readonly reason: string }) =>
      `${at(p)}: the arguments do not fit \`${p.function}\`: ${p.reason}.`,
    next: () => 'Pass addresses as 0x and 40 hexadecimal digits, numbers as whole numbers.',
  },
  argument_missing: {
    message: (p: Where & { readonly name: string }) => `${at(p)}: the argument \`${p.name}\` has no value.`,
    next: (p: Where & { readonly name: string }) => `Pass a value for \`${p.name}\`.`,
  },
  null_not_sent: {
    message: (p: Where & { readonly name: string }) =>
      `${at(p)}: \`${p.name}\` is null, and this part of the request cannot carry null.`,
    next: (p: Where & { readonly name: string }) =>
      `Leave \`${p.name}\` out, or pass a value; of rows, keep those with a value: \`{field!=null}\`.`,
  },
  template_variable_missing: {
    message: (p: Where & { readonly name: string }) =>
      `${at(p)}: the request template uses \`${p.name}\`, which has no value.`,
    next: (p: Where & { readonly name: string }) =>
      `Pass \`${p.name}\`, or report the template to the maintainer of the catalog \`${p.catalog}\`.`,
  },
  template_wrong: {
    message: (p: Where & { readonly reason: string }) =>
      `${at(p)}: cannot fill the request template: ${p.reason}.`,
    next: (p: Where) => `Report it to the maintainer of the catalog \`${p.catalog}\`.`,
  },
  mail_refused: {
    message: (p: Where & { readonly reason: string }) => `${at(p)}: cannot write the e-mail: ${p.reason}.`,
    next: () => 'Correct that argument; for a reply, pass it explicitly.',
  },
  unsafe_argument: {
    message: (p: Where & { readonly name: string; readonly found: string }) =>
      `${at(p)}: \`${p.name}\` is part of the address of the call and cannot be \`${cut(p.found)}\`.`,
    next: () => 'Pass a plain id: not empty, no `.` or `..`, no path.',
  },
  unsafe_header: {
    message: (p: Where & { readonly name: string }) =>
      `${at(p)}: the header \`${p.name}\` contains a line break or a control character.`,
    next: () => 'Remove control characters from the value.',
  },
  not_picked: {
    message: (p: NotPicked) =>
      `${at(p)}: expected one ${p.entity} with \`${p.field}\` ${JSON.stringify(cut(p.value))}, got ${p.count}.`,
    next: (p: NotPicked) => `Copy \`${p.field}\` exactly from a row of ${p.entity}; nothing changed.`,
  },

  // Holes
  hole_empty: {
    message: (p: { readonly text: string; readonly source: string }) =>
      `\`${p.text}\` needs one row, but \`${p.source}\` has none.`,
    next: ({ source }: { readonly source: string }) =>
      `Loosen the conditions of \`${source}\`, or use \`${source} => …\`, which does nothing for no row.`,
  },
  hole_many: {
    message: (p: { readonly text: string; readonly source: string; readonly count: number }) =>
      `\`${p.text}\` needs one row, but \`${p.source}\` has ${p.count}${p.count > 1 ? ' or more' : ''}.`,
    next: (p: { readonly text: string; readonly source: string; readonly count: number }) =>
      `Narrow \`${p.source}\` to one row (\`.limit(1)\`), or use \`${p.source} => …\` per row.`,
  },
  hole_no_field: {
    message: (p: { readonly text: string; readonly field: string; readonly fields: readonly string[] }) =>
      `\`${p.text}\`: the row has no value at \`${p.field}\`; its columns: ${p.fields.length === 0 ? 'none' : oneOf(p.fields, 'and')}.`,
    next: () => 'Use a column that the row has.',
  },
  hole_no_identity: {
    message: (p: { readonly text: string }) => `\`${p.text}\`: the row has no id.`,
    next: (p: { readonly text: string }) => `Name a column of it: \`${p.text}.name\`.`,
  },

  // Rows
  hydration_failed: {
    message: (p: {
      readonly entity: string
      readonly rows: number
      readonly fields: readonly string[]
      readonly reason: string
    }) =>
      `${p.fields.length === 0 ? 'Fields' : oneOf(p.fields, 'and')} of ${rowsOf(p.rows)} of ${p.entity} could not be read and are empty: ${p.reason}.`,
    next: () => 'Use the rows without these columns, or read one of them by its id to see what is wrong.',
  },
  no_get: {
    message: (p: { readonly entity: string; readonly catalog: string }) =>
      `\`${p.catalog}\` cannot read one ${p.entity} by its id.`,
    next: (p: { readonly entity: string; readonly catalog: string }) =>
      `Read ${p.entity} with conditions: \`${p.entity}{…}\`.`,
  },
  relation_unwalkable: {
    message: (p: { readonly entity: string; readonly relation: string }) =>
      `\`${p.entity}.${p.relation}\` cannot be followed: no call reads it.`,
    next: () => 'Read the rows that it leads to by their id or with conditions.',
  },
  parent_without_value: {
    message: (p: { readonly relation: string; readonly rows: number; readonly field: string }) =>
      `${rowsOf(p.rows)} cannot follow \`${p.relation}\`: no value at \`${p.field}\`.`,
    next: () => 'Use the remaining rows, or keep those with a value by a condition such as `{field!=null}`.',
  },
  rows_failed: {
    message: (p: {
      readonly what: string
      readonly failed: number
      readonly all: number
      readonly reason: string
    }) => `${p.what} failed for ${p.failed} of ${rowsOf(p.all)}; first: ${p.reason}.`,
    next: () => 'Use the remaining rows, or correct the first failure and run it again.',
    repeats: true,
  },
  not_single: {
    message: (p: { readonly source: string; readonly count: number }) =>
      `\`.singleton()\` needs exactly one row, but \`${p.source}\` has ${p.count === 0 ? 'none' : `${p.count} or more`}.`,
    next: (p: { readonly source: string; readonly count: number }) =>
      p.count === 0
        ? 'Loosen its conditions.'
        : 'Narrow its conditions, or take any one row with `.limit(1)`.',
  },
  loop_not_begun: {
    message: (p: StoppingRow) =>
      `\`${p.what}\` did not begin: row ${p.row} of ${p.all} cannot be sent: ${p.reason}.`,
    next: () =>
      'Nothing of it was sent: correct what that row lacks, or leave the row out, and run it again.',
    repeats: true,
  },
  loop_stopped: {
    message: (p: StoppingRow & OutcomeCounts) =>
      `\`${p.what}\` did not finish (${countsOf(p)}); first, row ${p.row} of ${p.all}: ${p.reason}.`,
    next: (p: OutcomeCounts) =>
      p.done + p.failed + p.unknown === 0
        ? 'Nothing of it was sent: correct what stopped it, then plan the loop again.'
        : 'Correct what that row names in a program of its own; this program would repeat what was done.',
  },
  incomplete_input: {
    message: (p: { readonly what: string; readonly sources: readonly string[]; readonly reason: string }) =>
      `${p.what} was not sent: the rows of ${oneOf(p.sources, 'and')} that it is fed from are not complete${p.reason && `: ${p.reason}`}.`,
    next: (p: { readonly sources: readonly string[] }) =>
      `Read ${oneOf(p.sources, 'and')} alone until the answer is not partial (narrow it with conditions if the budget ended), then plan the change again; \`.limit(n)\` right behind the read asks for the first n rows only.`,
    repeats: true,
  },
  input_failed: {
    message: (p: { readonly what: string; readonly input: string }) =>
      `${p.what} did not run: its input \`${p.input}\` failed.`,
    next: (p: { readonly what: string; readonly input: string }) => `Correct \`${p.input}\` first.`,
  },
  page_unknown: {
    message: (p: { readonly handle: string }) =>
      `There is no page \`${p.handle}\` in this session; pages expire.`,
    next: () => 'Run the program again and use the handle of its answer.',
  },
  continuation_stale: {
    message: (p: Where) => `${at(p)}: the page cannot be read on: its API changed.`,
    next: () => 'Run the program again and use the handle of its answer.',
  },
  page_repeated: {
    message: (p: Where) => `${at(p)}: reading stopped: the API returned the same page twice.`,
    next: () => 'Use these rows, or narrow the conditions to reach others.',
  },
  next_page_refused: {
    message: (p: Where & { readonly origin: string }) =>
      `${at(p)}: the next page is on ${p.origin}, which the catalog does not declare.`,
    next: (p: Where) =>
      `Use these rows, or ask the operator to add the origin to the catalog \`${p.catalog}\`.`,
  },

  // Effects
  effect_refused: {
    message: (p: Where) => `${at(p)} was not sent: the reviewed plan has fewer changes.`,
    next: () => 'Read the row to see its state, and plan the remaining changes again.',
  },
  too_many_effects: {
    message: (p: { readonly what: string; readonly count: number; readonly left: number }) =>
      `\`${p.what}\` would make ${p.count} changes, but the run allows ${p.left} more; none was sent.`,
    next: (p: { readonly what: string; readonly count: number; readonly left: number }) =>
      p.left === 0
        ? 'Put it into a program of its own.'
        : `Keep at most ${p.left} rows before the loop (\`.limit(${p.left})\`), or use several programs.`,
  },
  effect_unrecorded: {
    message: (p: Where) => `${at(p)} was not sent: the ledger could not record it.`,
    next: () => 'Plan what was not sent again when the store is available.',
    repeats: true,
  },
  effect_outcome_unrecorded: {
    message: (p: Where & { readonly state: EffectOutcome['state'] }) =>
      `${at(p)} is ${p.state.replace('_', ' ')}, but the store could not record that.`,
    next: () => 'Keep this answer and do not repeat the change: later answers may report it as unknown.',
  },
  effect_unknown: {
    message: (p: SentEffect & { readonly reason: string }) =>
      `${at(p)} was sent, but its outcome is unknown: ${p.reason}.`,
    next: (p: SentEffect & { readonly reason: string }) =>
      `${readTelling(p.read)} to see whether it was done; it is not sent again.`,
  },
  effect_unread: {
    message: (p: SentEffect & { readonly reason: string }) =>
      `${at(p)} succeeded, but its answer could not be read: ${p.reason}.`,
    next: (p: SentEffect & { readonly reason: string }) =>
      `${readTelling(p.read)} to see its result; do not repeat it.`,
  },
  answered_false: {
    message: (p: SentEffect) => `${at(p)}: the API answered \`false\`, which may mean that nothing changed.`,
    next: (p: SentEffect) => `${readTelling(p.read)} to see whether it did.`,
  },
  effect_stopped: {
    message: (p: { readonly what: string }) =>
      `${p.what} was not sent: an earlier change failed, or its outcome is unknown.`,
    next: () => 'Read what the earlier change did, correct it, then plan the rest.',
  },

  // Templates over rows
  template_failed: {
    message: (p: { readonly reason: string }) => `Cannot render the template: ${p.reason}.`,
    next: () => 'Correct the template; its variable `rows` has the columns of the source.',
  },
  template_refused: {
    message: (p: { readonly found: string; readonly allowed: string }) =>
      `The template uses ${p.found}, which is not supported.`,
    next: (p: { readonly found: string; readonly allowed: string }) => `Use ${p.allowed}.`,
  },
  template_too_big: {
    message: (p: { readonly what: string; readonly size: number; readonly limit: number }) =>
      `${p.what}: ${p.size}, at most ${p.limit}.`,
    next: () => 'Render fewer rows or columns.',
  },
})
