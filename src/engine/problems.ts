import { oneOf, problemsOf } from '../base/diagnostic.ts'
import { MAX_INTENT_BYTES } from '../session/identity.ts'

const suggestion = (nearest: readonly string[]) =>
  nearest.length > 0 ? `; did you mean ${oneOf(nearest)}?` : ''

/** Everything that a call to the engine can get wrong, apart from programs and what happens while they run. */
export const engineProblem = problemsOf({
  bad_arguments: {
    message: ({ wanted }: { wanted: string }) => `the arguments do not have the right types: ${wanted}`,
    next: () => 'Correct the arguments and call again; nothing was changed',
  },
  missing_intent: {
    message: () => 'neither `intent` nor `logical_session_ref` is given',
    next: () =>
      'Give one stable `intent` for the goal, or the `logical_session_ref` of a session that you have',
  },
  bad_intent: {
    message: ({ wrong, bytes }: { wrong: 'empty' | 'too_long' | 'ill_formed'; bytes: number }) =>
      ({
        empty: '`intent` is empty',
        too_long: `\`intent\` must be at most ${MAX_INTENT_BYTES} bytes of UTF-8: it has ${bytes}`,
        ill_formed: '`intent` must be well-formed Unicode: it holds a lone surrogate',
      })[wrong],
    next: () => 'Choose one short sentence that stays the same for the whole goal',
  },
  missing_seeds: {
    message: () => '`seeds` must name at least one `{api, entity}`',
    next: () =>
      'Pick rows from `discover_capabilities`; only beside `have`, on a session that exists, can `seeds` be left out',
  },
  too_many_seeds: {
    message: ({ given, most }: { given: number; most: number }) =>
      `\`seeds\` may name at most ${most}: it names ${given}`,
    next: () => 'Pick the entities that the goal needs; more can be added in a later call',
  },
  empty_seed: {
    message: () => 'a seed needs a non-empty `api` and a non-empty `entity`',
    next: () => 'Copy `api` and `entity` from a row of `discover_capabilities`',
  },
  unknown_api: {
    message: ({ api, nearest }: { api: string; nearest: readonly string[] }) =>
      `unknown api \`${api}\`${suggestion(nearest)}`,
    next: () => 'Copy the `api` from `discover_capabilities`',
  },
  ambiguous_api: {
    message: ({ api, options }: { api: string; options: readonly string[] }) =>
      `api \`${api}\` could be ${oneOf(options)}`,
    next: () => 'Use one of these ids',
  },
  unknown_entity: {
    message: ({ api, entity, nearest }: { api: string; entity: string; nearest: readonly string[] }) =>
      `unknown entity \`${entity}\` in api \`${api}\`${suggestion(nearest)}`,
    next: () => 'Copy the `entity` from `discover_capabilities`',
  },
  bad_have: {
    message: ({ have }: { have: string }) =>
      `\`have\` must be an entity symbol like \`e12\` or \`none\`: it is \`${have}\``,
    next: () => 'Give the last `e#` that you can see in this conversation, or `none`',
  },
  bad_ref: {
    message: ({ ref }: { ref: string }) =>
      `\`logical_session_ref\` must look like \`s0\` or \`l_\` and 22 characters: it is \`${ref}\``,
    next: () => 'Copy the ref from the first line of the `plasm_context` answer',
  },
  unknown_session: {
    message: ({ ref }: { ref: string }) => `there is no session \`${ref}\``,
    next: () => 'Call `plasm_context` with your `intent` and `seeds`; its first line is the ref to use',
  },
  session_expired: {
    message: ({ ref }: { ref: string }) => `session \`${ref}\` expired, since it was idle for too long`,
    next: ({ ref }: { ref: string }) =>
      `Call \`plasm_context\` with the same \`intent\` (or \`logical_session_ref\`: \`${ref}\`) and your \`seeds\`, read the new table, and send the program again`,
  },
  intent_names_another_session: {
    message: ({ ref }: { ref: string }) =>
      `\`intent\` and \`logical_session_ref\` \`${ref}\` name different sessions`,
    next: () => 'Give only one of the two',
  },
  session_full: {
    message: ({ what, most }: { what: string; most: number }) =>
      `the session holds its most: ${most} ${what}`,
    next: () => 'Open another session, with an `intent` of its own, for the rest of the goal',
  },
  sessions_full: {
    message: ({ most }: { most: number }) => `you hold ${most} sessions, the most there may be`,
    next: () => 'Close sessions that you no longer need, or go on in one of them',
  },
  plans_full: {
    message: ({ most }: { most: number }) => `the session holds ${most} plans, the most there may be`,
    next: () =>
      'Wait ten minutes, after which plans end that were not run, or go on in another session, with an `intent` of its own',
  },
  bytes_full: {
    message: ({ most }: { most: number }) =>
      `what is kept for you comes to ${most} bytes, the most there may be`,
    next: () =>
      'Ask for fewer rows at once; what is kept ends by itself: pages after a day, snapshots after a week, answers to changes after 30 days',
  },
  rows_not_kept: {
    message: () => 'the rows of this answer were too many to be kept with it',
    next: () => 'Read them by a program that only reads',
  },
  pages_full: {
    message: ({ most, label }: { most: number; label: string }) =>
      `there are more rows of \`${label}\`, but no page of them could be kept: the session holds ${most} pages, the most there may be`,
    next: () => 'Ask for more rows at once, or narrow the query',
  },
  snapshots_full: {
    message: ({ most }: { most: number }) =>
      `the rows that are not shown were not kept: the session holds ${most} snapshots, the most there may be`,
    next: () => 'Ask for fewer rows or columns, so that the answer shows all of them',
  },
  snapshot_too_big: {
    message: ({ bytes, most }: { bytes: number; most: number }) =>
      `the rows that are not shown were not kept: they are ${bytes} bytes, and a snapshot has at most ${most}`,
    next: () => 'Ask for fewer rows or columns, so that the answer shows all of them',
  },
  session_busy: {
    message: () => 'the session was changed by others each time this call tried to change it',
    next: () => 'Call again; nothing was changed by this call',
  },
  missing_program: {
    message: () => '`program` is empty',
    next: () => 'Send the program as one string with real line breaks; the last line says what it returns',
  },
  plan_required: {
    message: ({ effects }: { effects: readonly string[] }) =>
      `the program changes data (${effects.join(', ')}) and no reviewed plan was given`,
    next: () =>
      'Call `plasm` with this program, review its plan, and call `plasm_run` with the same program and `plan`',
  },
  unknown_plan: {
    message: ({ plan }: { plan: string }) =>
      `there is no plan \`${plan}\` in this session, or it is older than ten minutes`,
    next: () => 'Call `plasm` with the program and use the plan that it returns',
  },
  plan_differs: {
    message: ({ plan }: { plan: string }) => `the program is not the one that plan \`${plan}\` was made from`,
    next: () => 'Send the program that was reviewed, or review this one by `plasm`',
  },
  plan_outdated: {
    message: ({ plan, catalogs }: { plan: string; catalogs: readonly string[] }) =>
      `plan \`${plan}\` was made before ${oneOf(catalogs)} changed`,
    next: () => 'Call `plasm` again and review the new plan',
  },
  plan_running: {
    message: ({ plan }: { plan: string; seconds: number }) =>
      `plan \`${plan}\` was started already and has no recorded outcome`,
    next: ({ seconds }: { seconds: number }) =>
      `Send the same call again later: once the run has ended, it answers with what became of every change; whether it was cut off is known in ${seconds} s`,
  },
  run_running: {
    message: () => 'the same program was started a moment ago and has not ended',
    next: ({ seconds }: { seconds: number }) =>
      `Send the same call again later: once the run has ended, it answers with what became of every change; whether it was cut off is known in ${seconds} s`,
  },
  run_repeated: {
    message: () => 'the same program ran a moment ago: this is what came of it, and nothing was sent again',
    next: () => 'To do it once more, review it by `plasm` and run it with its `plan`, or wait a minute',
  },
  plan_uncertain: {
    message: ({ plan }: { plan: string }) =>
      `plan \`${plan}\` may have run already: the store came back and may have forgotten it`,
    next: () => 'Read what it was to change, and review the program again by `plasm`',
  },
  run_cut_off: {
    message: () =>
      'the run of this program was cut off; this is what its ledger knows, and nothing was sent again',
    next: () => 'Read what is unknown, then review a program for what is still to do by `plasm`',
  },
  effect_cut_off: {
    message: () => 'it was about to be sent, or sent, when the run was cut off',
    next: ({ read }: { read: string }) => `Read \`${read}\` to see whether it was done`,
  },
  effects_full: {
    message: ({ most }: { most: number }) =>
      `it was not sent: the ledger of the session holds ${most} changes, the most there may be`,
    next: () => 'Do what is left in another session, with an `intent` of its own',
  },
  effect_repeated: {
    message: () => 'it was not sent: this run sent it before',
    next: () => 'Read what it was to change to see what became of it',
  },
  run_given_up: {
    message: () =>
      'it was not sent: the run gave no word for so long that others were told that it was cut off',
    next: () => 'Read what was changed, then review a program for what is still to do by `plasm`',
  },
  effect_denied: {
    message: ({ capability }: { capability: string }) =>
      `\`${capability}\` may not be called: the operator denies it`,
    next: () => 'Leave it out, or ask the operator to allow it',
  },
  not_confirmed: {
    message: ({ effects, plan }: { effects: readonly string[]; plan: string }) =>
      `${oneOf(effects)} may be called only after a person agreed to plan \`${plan}\`, and nobody did`,
    next: ({ plan }: { plan: string }) =>
      `Ask your user to agree where they are asked, or to run the program with plan \`${plan}\` on the command line; else leave it out`,
  },
  unknown_handle: {
    message: ({ handle }: { handle: string }) =>
      `there is no page \`${handle}\` in this session, or it is older than a day`,
    next: () => 'Run the program again and use the handle of its answer',
  },
  unknown_snapshot: {
    message: ({ uri }: { uri: string }) => `there is no snapshot \`${uri}\`, or it is older than a week`,
    next: () => 'Run the program again and use the link of its answer',
  },
  unknown_trace: {
    message: ({ id }: { id: string }) => `there is no trace \`${id}\`, or it is no longer remembered`,
    next: () => 'Copy a `trace_id` from the list of traces',
  },
  too_many_streams: {
    message: ({ most }: { most: number }) => `you follow ${most} traces at once, the most there may be`,
    next: () => 'End one of them first',
  },
  session_closed: {
    message: () => 'what this answer does not show was not stored: session closed meanwhile',
    next: () => 'Call `plasm_context` with your `intent` and `seeds`, and send the program again',
  },
  session_newer: {
    message: () => 'the session was written by a newer version of this server, which this node does not read',
    next: () => 'Send the same call again in a moment, until the newer version runs everywhere',
  },
  catalog_lost: {
    message: ({ catalog }: { catalog: string }) =>
      `the store lost \`${catalog}\` as the session was taught it`,
    next: () =>
      'Send the same call again in a moment; if that goes on, close the session and open another one, with an `intent` of its own',
  },
  unavailable: {
    message: () => 'the server could not reach what it keeps, so this call has no answer',
    next: () => 'Send the same call again in a moment: what it did already is not done twice',
  },
  fork_elsewhere: {
    message: () => '`intent` names a session that exists and is not a fork of `fork_of`',
    next: () => 'Choose a new `intent` for the fork',
  },
})
