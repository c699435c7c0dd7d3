import { durationText } from '../base/text/duration.ts'
import { oneOf, problemsOf } from '../base/diagnostic.ts'
import { readTelling } from '../execution/problems.ts'
import { MAX_INTENT_BYTES } from '../session/identity.ts'

const suggestion = (nearest: readonly string[]) => (nearest.length > 0 ? `; nearest: ${oneOf(nearest)}` : '')

/** A capability that a program calls. */
interface Called {
  readonly catalog: string
  /** As the table teaches it: `Issue.close`. */
  readonly called: string
}

/** The numbers of rows, in order, as a message prints them: `rows 4 and 5`, `rows 4 to 90`. */
function rowList(rows: readonly number[]): string {
  const [first = 0, last = 0] = [rows[0], rows.at(-1)]
  if (rows.length === 1) return `row ${first}`
  if (rows.length > 2 && last - first === rows.length - 1) return `rows ${first} to ${last}`
  return `rows ${rows.slice(0, -1).join(', ')} and ${last}`
}

/** Problems of calls to the engine; `language` and `execution` have those of programs and runs. */
export const engineProblem = problemsOf({
  bad_arguments: {
    message: ({ wanted }: { wanted: string }) => `Invalid arguments: ${wanted}.`,
    next: () => 'Correct the arguments and call again; nothing changed.',
  },
  missing_intent: {
    message: () => '`intent` or `logical_session_ref` is required.',
    next: () => 'Pass one stable `intent` for the goal, or the `logical_session_ref` of an existing session.',
  },
  bad_intent: {
    message: ({ wrong, bytes }: { wrong: 'empty' | 'too_long' | 'ill_formed'; bytes: number }) =>
      ({
        empty: '`intent` is empty.',
        too_long: `\`intent\` must be at most ${MAX_INTENT_BYTES} bytes of UTF-8, got ${bytes}.`,
        ill_formed: '`intent` must be well-formed Unicode, but contains a lone surrogate.',
      })[wrong],
    next: () => 'Choose one short sentence that stays the same for the whole goal.',
  },
  missing_seeds: {
    message: () => '`seeds` must name at least one `{api, entity}`.',
    next: () =>
      'Pass the rows of `discover_capabilities` that the goal needs as `seeds`; to see the table of an existing session again, pass `have` instead.',
  },
  too_many_seeds: {
    message: ({ given, most }: { given: number; most: number }) =>
      `\`seeds\` must have at most ${most} entries, got ${given}.`,
    next: () => 'Pick the entities that the goal needs; add more in a later call.',
  },
  empty_seed: {
    message: () => 'A seed needs a non-empty `api` and a non-empty `entity`.',
    next: () => 'Copy `api` and `entity` from a row of `discover_capabilities`.',
  },
  api_unavailable: {
    message: ({ api, reason }: { api: string; reason: string }) =>
      `The api \`${api}\` is configured and cannot be served now: ${reason.replace(/\.$/, '')}.`,
    next: () => 'Ask the operator to correct it (`plasmid doctor` says how), and use another API meanwhile.',
  },
  two_apis: {
    message: ({ api, other }: { api: string; other: string }) =>
      `\`api\` and \`entry_id\` name different APIs: \`${api}\` and \`${other}\`.`,
    next: () => 'Give `api` alone, as a row of `discover_capabilities` has it.',
  },
  ambiguous_api: {
    message: ({ api, options }: { api: string; options: readonly string[] }) =>
      `Several APIs are named \`${api}\`: ${oneOf(options, 'and')}.`,
    next: () => 'Use one of these ids.',
  },
  unknown_seed: {
    message: ({ api, entity, nearest }: { api: string; entity: string; nearest: readonly string[] }) =>
      `The api \`${api}\` has no entity \`${entity}\`${suggestion(nearest)}.`,
    next: () => 'Copy the `entity` from `discover_capabilities`.',
  },
  bad_have: {
    message: ({ have }: { have: string }) =>
      `\`have\` must be an entity symbol like \`e12\` or \`none\`, got \`${have}\`.`,
    next: () => 'Pass the last `e#` of which this conversation shows all rows, or `none`.',
  },
  have_unknown: {
    message: ({ have }: { have: number; last: number }) => `This session never gave the symbol \`e${have}\`.`,
    next: ({ last }: { have: number; last: number }) =>
      last === 0
        ? 'Leave `have` out: the session is new, or the store lost it. Symbols of earlier answers do not hold here.'
        : `Pass the last \`e#\` of which you hold all rows, \`e${last}\` at most, or \`none\`.`,
  },
  bad_ref: {
    message: ({ ref }: { ref: string }) =>
      `\`logical_session_ref\` must be like \`s0\`, or \`l_\` and 22 characters, got \`${ref}\`.`,
    next: () => 'Copy the ref from the first line of the `plasm_context` answer.',
  },
  unknown_session: {
    message: ({ ref }: { ref: string }) => `There is no session \`${ref}\`.`,
    next: () => 'Call `plasm_context` with your `intent` and `seeds`, and use the ref in its first line.',
  },
  session_expired: {
    message: ({ ref }: { ref: string }) => `The session \`${ref}\` expired after being idle too long.`,
    next: ({ ref }: { ref: string }) =>
      `Call \`plasm_context\` with the same \`intent\` (or \`logical_session_ref\`: \`${ref}\`) and your \`seeds\`, read the new table, and send the program again.`,
  },
  intent_names_another_session: {
    message: ({ ref }: { ref: string }) =>
      `\`intent\` and \`logical_session_ref\` \`${ref}\` name different sessions.`,
    next: () => 'Pass only one of the two.',
  },
  session_full: {
    message: ({ what, most }: { what: string; most: number }) => `Session limit reached: ${most} ${what}.`,
    next: () => 'Open another session with its own `intent` for the rest of the goal.',
  },
  sessions_full: {
    message: ({ most }: { most: number }) => `Limit reached: ${most} sessions per caller.`,
    next: () => 'Close sessions that you no longer need, or continue in one of them.',
  },
  plans_full: {
    message: ({ most }: { most: number }) => `Limit reached: ${most} plans per session.`,
    next: () => 'Wait until unused plans expire, or continue in another session with its own `intent`.',
  },
  bytes_full: {
    message: ({ most }: { most: number }) => `Limit reached: ${most} bytes of stored results per caller.`,
    next: () => 'Request fewer rows at once, or wait: stored pages, snapshots and answers to writes expire.',
  },
  unknown_conversation: {
    message: () => 'There is no such conversation.',
    next: () => 'Start a new one; conversations end some time after their last turn.',
  },
  conversation_busy: {
    message: () => 'Another process is answering in this conversation.',
    next: () => 'Wait until it ends, or stop it there, and send this again.',
  },
  conversations_full: {
    message: ({ most }: { most: number }) => `Limit reached: ${most} conversations per caller.`,
    next: () => 'Delete conversations that you no longer need.',
  },
  conversation_full: {
    message: ({ most }: { most: number }) => `Limit reached: ${most} bytes in one conversation.`,
    next: () => 'Start a new conversation; it can continue the same session by its intent.',
  },
  rows_not_kept: {
    message: () => 'The store did not keep the rows of this answer.',
    next: () => 'Read them with a program that only reads.',
  },
  answer_not_kept: {
    message: () => 'The store could not keep this answer.',
    next: () =>
      'Keep it yourself and do not repeat its changes: the same call may later report them as unknown.',
  },
  rest_not_kept: {
    message: ({ what }: { what: string }) => `The store could not keep ${what}.`,
    next: () => 'Use the rows shown; read the others later with a program that only reads.',
  },
  rest_not_planned: {
    message: () => 'The store could not keep a plan of the rows that were not sent.',
    next: () => 'Read which changes exist, then send the others with a program of their own.',
  },
  pages_full: {
    message: ({ most, label }: { most: number; label: string }) =>
      `\`${label}\` has more rows, but the next page was not stored: limit reached, ${most} pages per session.`,
    next: () => 'Request more rows at once, or narrow the query.',
  },
  snapshots_full: {
    message: ({ most }: { most: number }) =>
      `The rows not shown were not stored: limit reached, ${most} snapshots per session.`,
    next: () => 'Request fewer rows or columns.',
  },
  snapshot_too_big: {
    message: ({ most }: { most: number }) =>
      `The rows not shown were not stored: the snapshot is over the limit of ${most} bytes.`,
    next: () => 'Request fewer rows or columns.',
  },
  answer_cut: {
    message: ({ label, shown, all, most }: { label: string; shown: number; all: number; most: number }) =>
      `The answer carries ${shown} of ${all} rows, and leaves out others from \`${label}\` on: it has at most ${most} characters of rows.`,
    next: () => 'Request fewer rows or columns.',
  },
  session_busy: {
    message: () => 'Concurrent calls kept changing the session.',
    next: () => 'Call again; this call changed nothing.',
  },
  missing_program: {
    message: () => '`program` is empty.',
    next: () => 'Send the program as one string with real line breaks; its last line names what to return.',
  },
  plan_required: {
    message: ({ effects }: { effects: readonly string[] }) =>
      `The program changes data (${effects.join(', ')}) and needs a reviewed plan.`,
    next: () =>
      'Call `plasm` with this program, review its plan, and call `plasm_run` with the same program and `plan`.',
  },
  flow_review_required: {
    message: ({ from, to }: { from: string; to: string }) =>
      `The program sends data of \`${from}\` in reads of \`${to}\` and needs a reviewed plan.`,
    next: () =>
      'Call `plasm` with this program, review its plan, and call `plasm_run` with the same program and `plan`.',
  },
  unknown_plan: {
    message: ({ plan }: { plan: string }) =>
      `There is no plan \`${plan}\` in this session: it expired, or it was never made here.`,
    next: () => 'Call `plasm` with the program and use the plan that it returns.',
  },
  plan_differs: {
    message: ({ plan }: { plan: string }) => `The program differs from that of plan \`${plan}\`.`,
    next: () => 'Send the reviewed program, or review this one with `plasm`.',
  },
  rest_planned: {
    message: ({
      what,
      rows,
      plan,
    }: {
      what: string
      rows: readonly number[]
      plan: string
      lifeMs: number
    }) => `Plan \`${plan}\` covers exactly what \`${what}\` did not send: ${rowList(rows)}.`,
    next: ({ plan, lifeMs }: { what: string; rows: readonly number[]; plan: string; lifeMs: number }) =>
      `Once nothing stops the loop any more, call \`plasm_run\` with this program and \`plan\`: \`${plan}\` within ${durationText(lifeMs)}: it sends those rows only, with the values that they had.`,
  },
  plan_outdated: {
    message: ({ plan, catalogs }: { plan: string; catalogs: readonly string[] }) =>
      `Plan \`${plan}\` is older than the current ${oneOf(catalogs, 'and')}.`,
    next: () => 'Call `plasm` again and review the new plan.',
  },
  plan_running: {
    message: ({ plan }: { plan: string; seconds: number }) =>
      `Plan \`${plan}\` was started and has no recorded outcome yet.`,
    next: ({ seconds }: { seconds: number }) =>
      `Send the same call again later for the outcome of every change; an interrupted run is detected within ${seconds} s.`,
  },
  run_running: {
    message: () => 'The same program was started a moment ago and is still running.',
    next: ({ seconds }: { seconds: number }) =>
      `Send the same call again later for the outcome of every change; an interrupted run is detected within ${seconds} s.`,
  },
  run_repeated: {
    message: () => 'The same program ran a moment ago; this is its outcome, and nothing was sent again.',
    next: ({ isUnknown }: { isUnknown: boolean }) =>
      isUnknown
        ? 'Read the unknown changes, then review a program for the rest with `plasm`.'
        : 'To repeat it, review it with `plasm` and run it with its `plan`, or wait a minute.',
  },
  plan_hides_run: {
    message: ({ plan, run }: { plan: string; run: { readonly plan?: string; readonly state: string } }) =>
      `After plan \`${plan}\` was reviewed, ${run.plan === undefined ? 'the same program' : `plan \`${run.plan}\` of the same program`} was run, and its outcome is ${run.state === 'running' ? 'not there yet' : 'not known'}: nothing was sent.`,
    next: ({ run }: { plan: string; run: { readonly plan?: string } }) =>
      `${run.plan === undefined ? 'Read the data that it changes' : `Call \`plasm_run\` with this program and \`plan\`: \`${run.plan}\` for its outcome`}; to send the changes again, review the program again with \`plasm\`.`,
  },
  plan_uncertain: {
    message: ({ plan }: { plan: string }) =>
      `Plan \`${plan}\` may have run: the store was restored and may have lost its outcome.`,
    next: () => 'Read the data that it changes, then review the program again with `plasm`.',
  },
  run_cut_off: {
    message: () =>
      'The run of this program was interrupted; this is what its ledger recorded, and nothing was sent again.',
    next: ({
      wasSent,
      isUnknown,
      isPlanned,
      isUnplanned,
    }: {
      wasSent: boolean
      isUnknown: boolean
      isPlanned: boolean
      isUnplanned: boolean
    }) => {
      if (!wasSent) return 'Nothing was sent: review the program again with `plasm`.'
      const steps = [
        ...(isUnknown ? ['read the unknown changes'] : []),
        ...(isPlanned ? ['run the plan below for the rows that it names'] : []),
        ...(isUnplanned ? ['review a program for the other changes that were not sent with `plasm`'] : []),
      ]
      const [first = 'nothing is left to send', ...more] = steps
      return `${[first.charAt(0).toUpperCase() + first.slice(1), ...more].join(', then ')}.`
    },
  },
  effect_cut_off: {
    message: () => 'The run was interrupted while this change was being sent.',
    next: ({ read }: { read: string | undefined }) => `${readTelling(read)} to see whether it was done.`,
  },
  effects_full: {
    message: ({ most }: { most: number }) => `Not sent: limit reached, ${most} changes per session.`,
    next: () => 'Continue in another session with its own `intent`.',
  },
  effect_repeated: {
    message: () => 'Not sent: this run, or another plan of the same rows, already sent it.',
    next: () => 'Read the data that it changes to see its outcome.',
  },
  run_given_up: {
    message: () => "Not sent: the run's lease expired.",
    next: () => 'Read what changed, then review a program for the rest with `plasm`.',
  },
  effect_denied: {
    message: ({ called }: { called: string }) => `The operator allows no calls of \`${called}\`.`,
    next: () => 'Leave it out, or ask the operator to allow it.',
  },
  credential_revoked: {
    message: () => 'Not sent: the key or token of this call is no longer valid.',
    next: () => 'Ask the operator for a valid credential, then read what changed before you continue.',
  },
  rights_unknown: {
    message: () => 'Not sent: the keys or the policy of this server cannot be read.',
    next: () => 'Wait a moment, read what changed, then send the rest.',
  },
  catalog_gone: {
    message: ({ catalog }: Called) => `\`${catalog}\` is no longer served here: none of its calls is sent.`,
    next: ({ catalog }: Called) =>
      `Omit \`${catalog}\`, or call \`plasm_context\` with another catalog from \`discover_capabilities\`.`,
  },
  capability_gone: {
    message: ({ catalog, called }: Called) => `\`${catalog}\` no longer has \`${called}\`: it is not sent.`,
    next: () =>
      'Call `plasm_context` with the same `intent` and `seeds` for the current table; if it still lists the call, use a new `intent`.',
  },
  capability_changed: {
    message: ({ catalog, called }: Called) =>
      `The operator changed \`${called}\` of \`${catalog}\` after this session was taught it: it is not sent.`,
    next: () =>
      'Call `plasm_context` with the same `intent` and `seeds`, and call it as the new table says; if it is refused again, use a new `intent`.',
  },
  not_confirmed: {
    message: ({ effects, plan }: { effects: readonly string[]; plan: string }) =>
      `${oneOf(effects, 'and')} must be confirmed by a person: plan \`${plan}\` is not confirmed.`,
    next: ({ plan }: { plan: string }) =>
      `Ask your user to confirm when prompted, or to run the program with plan \`${plan}\` on the command line; otherwise omit it.`,
  },
  unknown_snapshot: {
    message: ({ uri }: { uri: string }) => `There is no snapshot \`${uri}\`; snapshots expire.`,
    next: () => 'Run the program again and use the link of its answer.',
  },
  unknown_trace: {
    message: ({ id }: { id: string }) => `There is no trace \`${id}\`; old traces are dropped.`,
    next: () => 'Copy a `trace_id` from the list of traces.',
  },
  runs_full: {
    message: ({ most, waiting }: { most: number; waiting: number }) =>
      `Limit reached: ${most} runs per caller at a time, and ${waiting} that wait for their turn.`,
    next: () =>
      'Send fewer programs at once, and this one again when some of them have ended; nothing was called.',
  },
  run_waited: {
    message: ({ most, lifeMs }: { most: number; lifeMs: number }) =>
      `The run waited ${durationText(lifeMs)} for its turn: a caller has at most ${most} runs at a time, and none of the others ended.`,
    next: () => 'Let the other runs end or stop them, then send the same call again; nothing was called.',
  },
  too_many_streams: {
    message: ({ most }: { most: number }) => `Limit reached: ${most} trace streams per caller.`,
    next: () => 'Close one of them first.',
  },
  session_closed: {
    message: () => 'The session was closed during this call; rows not shown were not stored.',
    next: () => 'Call `plasm_context` with your `intent` and `seeds`, and send the program again.',
  },
  session_newer: {
    message: () => 'A newer version of the server wrote this session; this node cannot read it.',
    next: () => 'Send the same call again in a moment, when all nodes run the newer version.',
  },
  catalog_lost: {
    message: ({ catalog }: { catalog: string }) =>
      `The store no longer holds the version of \`${catalog}\` that this session uses in a form which this server can read.`,
    next: () =>
      'Call `plasm_context` with the same `intent` and your `seeds`, read the new table, and send the program again.',
  },
  unavailable: {
    message: () => 'The session store is unavailable.',
    next: () => 'Send the same call again in a moment; completed changes are not repeated.',
  },
  access_unavailable: {
    message: () => 'The policy, or the data that verifies callers, cannot be read.',
    next: () =>
      'Send the same call again in a moment; if it fails again, the log names the cause for the operator.',
  },
  store_replaced: {
    message: () =>
      'The session store was deleted, replaced or truncated while the server runs: the change is not kept.',
    next: () => 'Ask the operator to restart the server, then send the same call again.',
  },
  fork_elsewhere: {
    message: () => '`intent` names an existing session that is not a fork of `fork_of`.',
    next: () => 'Choose a new `intent` for the fork.',
  },
})
