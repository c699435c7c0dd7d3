import type { Fix, Problem } from '../base/diagnostic.ts'
import { keepsLiterals } from './literals-kept.ts'
import { applyFix } from './syntax/fix.ts'

/**
 * A fix is tried by reading the whole program again: so many characters in all for single fixes, and as many for all of them
 * together. Both take a few milliseconds, and longer programs get no fixes.
 */
const MAX_READ = 16_384
/** Readings with a single fix, at most. */
const MAX_TRIES = 16
/** Rounds of applying all fixes together. */
const MAX_ROUNDS = 6

/** Reads a program in steps; no problems if it checks. */
type Reread = (text: string) => Generator<void, readonly Problem[]>

/**
 * The problems with fixes that were tried: each fix changes the program, keeps its literals, and gives a program that checks.
 * If no single fix does, but all of them together do (in several rounds), the first problem with a fix carries them all.
 *
 * @yields between the steps of each reading
 */
export function* withTriedFixes(
  text: string,
  problems: readonly Problem[],
  reread: Reread,
): Generator<void, readonly Problem[]> {
  if (!problems.some(({ fix }) => fix)) return problems
  const readings = Math.floor(MAX_READ / text.length)
  let tries = Math.min(MAX_TRIES, readings)
  const isGood = function* (candidate: string, problem: Problem) {
    if (candidate === text || tries-- <= 0 || !keeps(text, [problem], candidate)) return false
    return (yield* reread(candidate)).length === 0
  }
  const tried: Problem[] = []
  for (const problem of problems) {
    const isKept = problem.fix && (yield* isGood(applyFix(text, problem.fix), problem))
    tried.push(isKept ? problem : withoutFix(problem))
  }
  if (tried.some(({ fix }) => fix)) return tried
  const whole = yield* repaired(text, problems, { reread, rounds: Math.min(MAX_ROUNDS, readings) })
  if (whole === undefined) return tried
  const first = problems.findIndex(({ fix }) => fix)
  return tried.map((problem, index) =>
    index === first ? { ...problem, fix: difference(text, whole) } : problem,
  )
}

/**
 * The program after all fixes, applied until it checks.
 *
 * @yields between the steps of each reading
 */
function* repaired(
  text: string,
  problems: readonly Problem[],
  { reread, rounds }: { readonly reread: Reread; readonly rounds: number },
): Generator<void, string | undefined> {
  let [current, found]: [string, readonly Problem[]] = [text, problems]
  for (let round = 0; round < rounds; round++) {
    const next = applyFix(current, together(found))
    if (next === current || !keeps(current, found, next)) return undefined
    const left = yield* reread(next)
    if (left.length === 0) return next
    ;[current, found] = [next, left]
  }
  return undefined
}

/** Whether the fixed program has every literal, apart from misspelt options. */
function keeps(text: string, problems: readonly Problem[], fixed: string): boolean {
  const respelt = problems.filter(({ code }) => code === 'not_an_option')
  return keepsLiterals(applyFix(text, together(respelt)), fixed)
}

/** The edits of all fixes; of two fixes at one place the first counts, so that no half of a fix is applied. */
function together(problems: readonly Problem[]): Fix {
  const edits: Fix['edits'][number][] = []
  for (const { fix } of problems) {
    const touches = fix?.edits.some(({ span }) =>
      edits.some(({ span: other }) => span.start <= other.end && other.start <= span.end),
    )
    if (fix && touches === false) edits.push(...fix.edits)
  }
  return { edits }
}

/** One edit of the lines that differ. */
function difference(before: string, after: string): Fix {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  start = before.lastIndexOf('\n', start - 1) + 1
  let end = 0
  while (
    end < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++
  const span = { start, end: before.length - end }
  return { edits: [{ span, text: after.slice(start, after.length - end) }] }
}

function withoutFix(problem: Problem): Problem {
  const { fix, ...rest } = problem
  return fix ? rest : problem
}
