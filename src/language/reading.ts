import { parse } from './syntax/parse.ts'
import type { Expression } from './syntax/tree.ts'

/**
 * How a text from a person reads. `name`: one name alone, which is a program where the session knows it. A text that is
 * no correct program still reads as one if it is written like one, so that its author sees the problems.
 */
export type TextReading = 'program' | 'name' | 'words'

/** A label, a symbol or a name, followed at once by what only programs put there. */
const WRITTEN_LIKE_ONE =
  /^\s*[A-Za-z_]\w*(?:\s*=(?![=>])|[({[]|~\s*"|\s*=>)|\b[em]\d+\s*(?:[({[~]|\.\w)|=>|^\s*page\(|^\s*```/mu

/** Reads a text from a person. Pure, and linear in the text. */
export function readingOf(text: string): TextReading {
  const { program, problems } = parse(text)
  const expressions = [...program.bindings.map(({ value }) => value), ...program.roots]
  if (problems.length > 0 || expressions.length === 0)
    return WRITTEN_LIKE_ONE.test(text) ? 'program' : 'words'
  if (expressions.some(isCall)) return 'program'
  const [only] = program.roots
  return only?.kind === 'rows' && program.roots.length === 1 ? 'name' : 'words'
}

/** Does the expression do more than name something? */
function isCall(expression: Expression): boolean {
  if (expression.kind === 'each') return true
  if (expression.kind === 'literal') return false
  return expression.head.kind !== 'name' || expression.segments.length > 0
}
