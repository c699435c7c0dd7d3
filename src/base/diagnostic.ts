import { visible } from './text/one-line.ts'

/** Offsets into a program's text, in UTF-16 code units: `start` included, `end` not. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A mechanical repair: replace these spans (none overlap) and the problem is gone. */
export interface Fix {
  readonly edits: readonly { readonly span: Span; readonly text: string }[]
}

/** The location of a problem: in a program (`span`), in an argument (`path`, such as `seeds[2].entity`) or in a file. */
export interface Place {
  readonly span?: Span
  readonly path?: string
  readonly file?: string
  /** 1-based. */
  readonly line?: number
  /** The symbols that the problem concerns: `e5` for an entity, `m12` for one of its capabilities. */
  readonly about?: readonly string[]
  /** Suggested names, nearest first. */
  readonly nearest?: readonly string[]
  readonly fix?: Fix
}

/** An error that an agent, a user or an external system caused: a value, never thrown. */
export interface Problem<Code extends string = string> extends Place {
  /** Stable: programs may branch on it. */
  readonly code: Code
  /** What happened: one sentence that starts with a capital letter or a quoted name and ends with a full stop. */
  readonly message: string
  /** What to do next: one imperative sentence. */
  readonly next: string
}

/** One row of a module's table of problems: the sentences, with named parameters. */
export interface Wording<Params> {
  readonly message: (params: Params) => string
  readonly next: (params: Params) => string
  /** The next step is to send the whole program again, which would repeat its changes. */
  readonly repeats?: true
}

type Table = Record<string, Wording<never>>

/**
 * Makes a module's constructor of problems from its table, so that every message is in one place and wrong parameters do
 * not compile: `problem('unknown_entity', { entity, api }, { path, nearest })`. The table is available as
 * `problem.table`, for lists of codes.
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
    const shown = shownParams(params)
    return { code, message: oneStop(wording.message(shown)), next: oneStop(wording.next(shown)), ...place }
  }
  return Object.assign(state, { table })
}

/** The longest text of a parameter that a message shows, in UTF-16 code units. */
const LONGEST_PARAM = 1000

/** Parameters hold text of programs, APIs and files: bounded, and without characters that hide or move others. */
function shownParams<Params>(params: Params): Params {
  // Texts become texts, and lists of texts such lists.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return shownValue(params) as Params
}

function shownValue(value: unknown): unknown {
  if (typeof value === 'string')
    return visible(value.length > LONGEST_PARAM ? `${value.slice(0, LONGEST_PARAM)}…` : value)
  if (Array.isArray(value)) return value.map(shownValue)
  const isPlain =
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  return isPlain
    ? Object.fromEntries(Object.entries(value).map(([name, held]) => [name, shownValue(held)]))
    : value
}

/** A parameter may end with its own full stop; only one is kept. */
function oneStop(text: string): string {
  return text.replace(/([.?!])\.$/, '$1')
}

/** What happened and what to do next. */
export function sentences({ message, next }: Pick<Problem, 'message' | 'next'>): string {
  return `${message} ${next}`
}

/** Either a value or every problem (at least one). */
export type Result<T, P extends Problem = Problem> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problems: readonly P[] }

/** A successful result. */
export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

/** A failed result with every problem. */
export function failed<P extends Problem>(
  problems: readonly P[],
): { readonly ok: false; readonly problems: readonly P[] } {
  return { ok: false, problems }
}

/** The names in a message: `` `a`, `b` or `c` ``. */
export function oneOf(names: readonly string[], last: 'or' | 'and' = 'or'): string {
  const quoted = names.map((name) => `\`${name}\``)
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} ${last} ${quoted.at(-1)}`
}
