/** Offsets into a program's text, in UTF-16 code units: `start` included, `end` not. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A mechanical repair: replace these spans (none overlap) and the problem is gone. */
export interface Fix {
  readonly edits: readonly { readonly span: Span; readonly text: string }[]
}

/** Where a problem is: in a program (`span`), in an argument (`path`, as in `seeds[2].entity`) or in a file. */
export interface Place {
  readonly span?: Span
  readonly path?: string
  readonly file?: string
  /** 1-based. */
  readonly line?: number
  /** What it speaks of, as symbols of the session: `e5` an entity, `m12` one thing that can be done with it. */
  readonly about?: readonly string[]
  /** Names that would have been right, nearest first. */
  readonly nearest?: readonly string[]
  readonly fix?: Fix
}

/** What an agent, a user or the world outside got wrong: a value, never thrown. */
export interface Problem<Code extends string = string> extends Place {
  /** Stable: programs may branch on it. */
  readonly code: Code
  /** What happened: one sentence that starts with a capital letter or a quoted name and ends with a full stop. */
  readonly message: string
  /** What to do next: one imperative sentence. */
  readonly next: string
}

/** One row of a room's table of problems: the sentences, with named holes. */
export interface Wording<Params> {
  readonly message: (params: Params) => string
  readonly next: (params: Params) => string
}

type Table = Record<string, Wording<never>>

/**
 * Makes a room's function for stating problems from its table, so that no message stands anywhere else and a call with
 * a wrong hole does not compile: `problem('unknown_entity', { entity, api }, { path, nearest })`. The table stays readable
 * as `problem.table`, for those who list its codes.
 */
export function problemsOf<const T extends Table>(table: T) {
  const state = <Code extends keyof T & string>(
    code: Code,
    params: T[Code] extends Wording<infer Params> ? Params : never,
    place: Place = {},
  ): Problem<Code> => {
    // The wording of this code takes these parameters by the signature above; the compiler cannot follow the look-up.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const wording = table[code] as unknown as Wording<typeof params>
    return { code, message: oneStop(wording.message(params)), next: oneStop(wording.next(params)), ...place }
  }
  return Object.assign(state, { table })
}

/** A text that a hole brings along may end with its own mark; only that one stays. */
function oneStop(text: string): string {
  return text.replace(/([.?!])\.$/, '$1')
}

/** What happened and what to do next. */
export function sentences({ message, next }: Pick<Problem, 'message' | 'next'>): string {
  return `${message} ${next}`
}

/** Either a value or all that is wrong (one problem at least). */
export type Result<T, P extends Problem = Problem> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problems: readonly P[] }

/** The value, as a result. */
export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

/** All that is wrong, as a result. */
export function failed<P extends Problem>(
  problems: readonly P[],
): { readonly ok: false; readonly problems: readonly P[] } {
  return { ok: false, problems }
}

/** The names as a message prints them: `` `a`, `b` or `c` ``. */
export function oneOf(names: readonly string[], last: 'or' | 'and' = 'or'): string {
  const quoted = names.map((name) => `\`${name}\``)
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} ${last} ${quoted.at(-1)}`
}
