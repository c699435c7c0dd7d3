import { oneOf, problemsOf } from '../base/diagnostic.ts'

/** The call that a problem is about. */
export interface Where {
  readonly catalog: string
  readonly capability: string
}

const at = ({ catalog, capability }: Where) => `\`${catalog}\` ${capability}`
const cut = (text: string) => (text.length > 120 ? `${text.slice(0, 117)}...` : text)
const rowsOf = (count: number) => `${count} ${count === 1 ? 'row' : 'rows'}`

const BUDGET_WORDS = {
  calls: 'calls',
  rows: 'rows',
  bytes: 'bytes of answers',
  time: 'milliseconds',
  effects: 'effects',
}

/** What can go wrong while a plan runs: every sentence of this room. */
export const problem = problemsOf({
  // Calls
  call_failed: {
    message: (p: Where & { readonly reason: string; readonly next: string }) => `${at(p)}: ${p.reason}`,
    next: (p: Where & { readonly reason: string; readonly next: string }) => p.next,
  },
  not_found: {
    message: (p: Where & { readonly detail: string }) =>
      `${at(p)}: the API has no such row${p.detail && `: ${p.detail}`}`,
    next: () => 'Check the id, or read the rows that there are with a query',
  },
  refused_credentials: {
    message: (p: Where & { readonly status: number; readonly detail: string }) =>
      `${at(p)}: the API refused the credentials (status ${p.status})${p.detail && `: ${p.detail}`}`,
    next: (p: Where & { readonly status: number; readonly detail: string }) =>
      `Ask the operator to check the credentials of \`${p.catalog}\` and their rights; the program is not at fault`,
  },
  rate_limited: {
    message: (p: Where & { readonly wait: string; readonly detail: string }) =>
      `${at(p)}: the API asks for fewer calls (status 429)${p.detail && `: ${p.detail}`}`,
    next: (p: Where & { readonly wait: string; readonly detail: string }) =>
      `Run it again ${p.wait === '' ? 'later' : `in ${p.wait} s`}, or read less`,
  },
  rejected: {
    message: (p: Where & { readonly status: number; readonly detail: string }) =>
      `${at(p)}: the API rejected the call with status ${p.status}${p.detail && `: ${p.detail}`}`,
    next: () => 'Correct the arguments as the API says',
  },
  upstream_error: {
    message: (p: Where & { readonly status: number; readonly detail: string }) =>
      `${at(p)}: the API failed with status ${p.status}${p.detail && `: ${p.detail}`}`,
    next: () => 'Run it again later; the program is not at fault',
  },
  api_error: {
    message: (p: Where & { readonly detail: string }) =>
      `${at(p)}: the API answered with an error: ${p.detail}`,
    next: () => 'Correct the arguments as the API says',
  },
  wrong_shape: {
    message: (p: Where & { readonly path: string; readonly found: string }) =>
      `${at(p)}: wanted rows at ${p.path === '' ? 'the top of the answer' : `\`${p.path}\``}, found ${p.found}`,
    next: (p: Where & { readonly path: string; readonly found: string }) =>
      `Report it to whoever keeps the catalog \`${p.catalog}\`: its response path does not fit the API`,
  },
  bad_rows: {
    message: (p: Where & { readonly bad: number; readonly all: number; readonly reason: string }) =>
      `${at(p)}: left out ${p.bad} of ${rowsOf(p.all)}: ${p.reason}`,
    next: (p: Where & { readonly bad: number; readonly all: number; readonly reason: string }) =>
      `Use the rows that are there; whoever keeps the catalog \`${p.catalog}\` should look at its fields`,
  },
  not_allowed: {
    message: (p: Where) => `${at(p)}: the caller may not use it any more`,
    next: () => 'Ask the operator for the right, or leave it out',
  },
  unsupported: {
    message: (p: Where & { readonly features: readonly string[] }) =>
      `${at(p)} cannot run here: it needs ${oneOf(p.features)}`,
    next: () => 'Use another capability of the entity',
  },
  cancelled: {
    message: (p: { readonly what: string }) => `The run was cancelled before ${p.what}`,
    next: () => 'Run it again if the rest is still wanted',
  },
  budget_exhausted: {
    message: (p: {
      readonly kind: keyof typeof BUDGET_WORDS
      readonly used: number
      readonly limit: number
      readonly what: string
    }) => `The budget of the run ended at ${p.what}: ${p.used} of ${p.limit} ${BUDGET_WORDS[p.kind]} used`,
    next: () => 'Narrow the query with predicates or `.limit(n)`, or go on from the page handle',
  },

  // What is sent
  value_mismatch: {
    message: (p: Where & { readonly name: string; readonly expected: string; readonly found: string }) =>
      `${at(p)}: \`${p.name}\` wants ${p.expected}, got ${cut(p.found)}`,
    next: () => 'Give a value of that type, or take it from another field',
  },
  argument_missing: {
    message: (p: Where & { readonly name: string }) => `${at(p)}: the argument \`${p.name}\` has no value`,
    next: (p: Where & { readonly name: string }) => `Give \`${p.name}\` a value`,
  },
  template_variable_missing: {
    message: (p: Where & { readonly name: string }) =>
      `${at(p)}: its request template uses \`${p.name}\`, which the call does not have`,
    next: (p: Where & { readonly name: string }) =>
      `Give \`${p.name}\`, or report the template to whoever keeps the catalog \`${p.catalog}\``,
  },
  template_wrong: {
    message: (p: Where & { readonly reason: string }) =>
      `${at(p)}: its request template cannot be filled: ${p.reason}`,
    next: (p: Where & { readonly reason: string }) =>
      `Report it to whoever keeps the catalog \`${p.catalog}\``,
  },
  mail_refused: {
    message: (p: Where & { readonly reason: string }) =>
      `${at(p)}: the e-mail cannot be written: ${p.reason}`,
    next: () => 'Correct that argument; where a reply takes it from what it answers, give it yourself',
  },
  unsafe_path: {
    message: (p: Where & { readonly name: string; readonly found: string }) =>
      `${at(p)}: \`${p.name}\` would change where the call goes: ${cut(p.found)}`,
    next: () => 'Give a plain id: not empty, no `.` or `..`, no path',
  },
  unsafe_header: {
    message: (p: Where & { readonly name: string }) =>
      `${at(p)}: the value of the header \`${p.name}\` holds a line break or a control character`,
    next: () => 'Leave line breaks out of the value',
  },

  not_picked: {
    message: (
      p: Where & {
        readonly entity: string
        readonly field: string
        readonly value: string
        readonly count: number
      },
    ) =>
      `${at(p)}: wanted one ${p.entity} whose \`${p.field}\` is ${JSON.stringify(cut(p.value))}, found ${p.count}`,
    next: (
      p: Where & {
        readonly entity: string
        readonly field: string
        readonly value: string
        readonly count: number
      },
    ) => `Nothing was changed; give the \`${p.field}\` exactly as a row of ${p.entity} has it`,
  },

  // Holes
  hole_empty: {
    message: (p: { readonly text: string; readonly source: string }) =>
      `\`${p.text}\` needs one row, \`${p.source}\` has none`,
    next: (p: { readonly text: string; readonly source: string }) =>
      `Widen \`${p.source}\`; there is nothing to fill the value with`,
  },
  hole_many: {
    message: (p: { readonly text: string; readonly source: string; readonly count: number }) =>
      `\`${p.text}\` needs one row, \`${p.source}\` has ${p.count}${p.count > 1 ? ' or more' : ''}`,
    next: (p: { readonly text: string; readonly source: string; readonly count: number }) =>
      `Narrow \`${p.source}\` to one row (\`.limit(1)\`), or run it for each row: \`${p.source} => ...\``,
  },
  hole_no_field: {
    message: (p: { readonly text: string; readonly field: string; readonly fields: readonly string[] }) =>
      `\`${p.text}\`: the row has no value at \`${p.field}\`; it has ${p.fields.length === 0 ? 'no fields' : oneOf(p.fields)}`,
    next: () => 'Use a field that the row has',
  },
  hole_no_identity: {
    message: (p: { readonly text: string }) => `\`${p.text}\`: the row has no id that could stand for it`,
    next: () => 'Name a field of the row',
  },

  // Rows
  hydration_failed: {
    message: (p: {
      readonly entity: string
      readonly rows: number
      readonly fields: readonly string[]
      readonly reason: string
    }) =>
      `${p.fields.length === 0 ? 'Fields' : oneOf(p.fields)} of ${rowsOf(p.rows)} of ${p.entity} could not be read and stay empty: ${p.reason}`,
    next: () => 'Use the rows without them, or get the rows one by one',
  },
  no_get: {
    message: (p: { readonly entity: string; readonly catalog: string }) =>
      `\`${p.catalog}\` has no get for ${p.entity}, so rows of it cannot be fetched by id`,
    next: (p: { readonly entity: string; readonly catalog: string }) => `Read ${p.entity} by a query`,
  },
  relation_unwalkable: {
    message: (p: { readonly entity: string; readonly relation: string }) =>
      `${p.entity}.${p.relation} is only documented: it cannot be walked`,
    next: () => 'Query the target with the id as a predicate',
  },
  parent_without_value: {
    message: (p: { readonly relation: string; readonly rows: number; readonly field: string }) =>
      `${rowsOf(p.rows)} could not be followed along \`${p.relation}\`: no value at \`${p.field}\``,
    next: () => 'Use the rows that were followed, or start from a read that gives that field',
  },
  rows_failed: {
    message: (p: {
      readonly what: string
      readonly failed: number
      readonly all: number
      readonly reason: string
    }) => `${p.what} failed for ${p.failed} of ${rowsOf(p.all)}; first: ${p.reason}`,
    next: () => 'Use the rows that are there, or correct what the first failure names and run it again',
  },
  not_single: {
    message: (p: { readonly source: string; readonly count: number }) =>
      `\`.singleton()\` wants exactly one row, \`${p.source}\` has ${p.count === 0 ? 'none' : `${p.count} or more`}`,
    next: (p: { readonly source: string; readonly count: number }) =>
      p.count === 0 ? 'Widen the query' : 'Narrow the query, or take any row with `.limit(1)`',
  },
  input_failed: {
    message: (p: { readonly what: string; readonly input: string }) =>
      `${p.what} did not run: \`${p.input}\`, which it needs, failed`,
    next: (p: { readonly what: string; readonly input: string }) => `Correct \`${p.input}\` first`,
  },
  page_unknown: {
    message: (p: { readonly handle: string }) =>
      `There is no page \`${p.handle}\`: never given, used up or expired`,
    next: () => 'Run the query again; its result names a new page handle',
  },
  continuation_stale: {
    message: (p: Where) => `${at(p)}: the page cannot be gone on from: its catalog reads differently now`,
    next: () => 'Run the query again',
  },
  page_repeated: {
    message: (p: Where) => `${at(p)}: the API gave the same page twice, so reading stopped`,
    next: () => 'Use the rows that are there; narrow the query to reach others',
  },
  next_page_refused: {
    message: (p: Where & { readonly origin: string }) =>
      `${at(p)}: the next page lies on ${p.origin}, which the catalog does not declare`,
    next: (p: Where & { readonly origin: string }) =>
      `Use the rows that are there; the operator can add the origin to the catalog \`${p.catalog}\``,
  },

  // Effects
  effect_refused: {
    message: (p: Where) => `${at(p)} was not sent: the plan showed fewer effects`,
    next: () => 'Read the row to see what became of it; make a new plan for what is still to do',
  },
  too_many_effects: {
    message: (p: { readonly what: string; readonly count: number; readonly left: number }) =>
      `\`${p.what}\` would have ${p.count} effects, the run may have ${p.left} more: none was sent`,
    next: () => 'Narrow the rows, or do it in several runs',
  },
  effect_unrecorded: {
    message: (p: Where & { readonly sent: boolean }) =>
      p.sent
        ? `${at(p)} was sent, but the ledger could not record its end`
        : `${at(p)} was not sent: the ledger could not record it`,
    next: (p: Where & { readonly sent: boolean }) =>
      p.sent
        ? 'Read the row to see what became of it; do not repeat it'
        : 'Run it again when the store of the server answers',
  },
  effect_unknown: {
    message: (p: Where & { readonly reason: string }) =>
      `${at(p)} was sent and nobody knows whether it was done: ${p.reason}`,
    next: () => 'Read the row to see what became of it; it is not sent again',
  },
  effect_unread: {
    message: (p: Where & { readonly reason: string }) =>
      `${at(p)} was done, but its answer could not be read: ${p.reason}`,
    next: () => 'Read the row to see what became of it; do not repeat it',
  },
  effect_stopped: {
    message: (p: { readonly what: string }) => `${p.what} was not sent: an effect before it failed`,
    next: () => 'Correct that effect, then run what was not sent',
  },

  // Templates over rows
  template_failed: {
    message: (p: { readonly reason: string }) => `The template cannot be rendered: ${p.reason}`,
    next: () => 'Correct the template; it sees `rows`, each with the columns of the source',
  },
  template_refused: {
    message: (p: { readonly found: string; readonly allowed: string }) =>
      `The template uses ${p.found}, which templates here do not have`,
    next: (p: { readonly found: string; readonly allowed: string }) => `Use ${p.allowed}`,
  },
  template_too_big: {
    message: (p: { readonly what: string; readonly size: number; readonly limit: number }) =>
      `${p.what}: ${p.size}, at most ${p.limit}`,
    next: () => 'Render fewer rows or columns',
  },
})
