import { utf8Bytes } from '../../base/canonical.ts'
import type { Problem } from '../../base/diagnostic.ts'
import { Sliced } from '../../base/slices/sliced.ts'
import { withoutFence } from './fence.ts'
import { program } from './parser.ts'
import { syntaxProblem } from './problems.ts'
import { MAX_TOKENS, Tokens } from './tokens.ts'
import type { Program } from './tree.ts'

/** The longest program, in bytes of UTF-8. */
const MAX_BYTES = 65_536

/** A tree of a program, and the problems of its text. */
export interface Parsed {
  readonly program: Program
  readonly problems: readonly Problem[]
}

/**
 * Parses a program. Never throws: the tree covers all text that could be parsed, and at most 20 problems are listed in the
 * order of the text. A program with problems must not run. Takes time linear in the text.
 */
export function parse(text: string): Parsed {
  return new Sliced(parsing(text)).whole()
}

/**
 * The same in steps.
 *
 * @yields before each statement
 */
export function* parsing(text: string): Generator<void, Parsed> {
  const bytes = utf8Bytes(text)
  if (bytes > MAX_BYTES) {
    const span = { start: 0, end: 0 }
    return unread(syntaxProblem('program_too_long', { bytes, most: MAX_BYTES }, { span }))
  }
  const tokens = new Tokens(withoutFence(text))
  const tree = yield* program(tokens)
  if (tokens.overfullAt !== undefined) {
    const span = { start: tokens.overfullAt, end: tokens.overfullAt + 1 }
    return unread(syntaxProblem('too_many_tokens', { most: MAX_TOKENS }, { span }))
  }
  return {
    program: tree,
    problems: tokens.problems.toSorted((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0)),
  }
}

function unread(problem: Problem): Parsed {
  return { program: { bindings: [], roots: [] }, problems: [problem] }
}
