import { checkText } from './read.ts'
import type { Scope } from '../../src/language/check/model/scope.ts'
import { applyFix } from '../../src/language/syntax/fix.ts'

/** Every problem of a program, one line each: `code: what stands there`, and the corrected program where there is a fix. */
export function problemLines(program: string, scope: Scope): readonly string[] {
  return checkText(program, scope).problems.map(({ code, span, fix }) => {
    const place = span ? program.slice(span.start, span.end) : ''
    return `${code}: ${place}${fix ? ` -> ${applyFix(program, fix)}` : ''}`
  })
}

/** What the one problem of a program says. */
export function messagesOf(program: string, scope: Scope): string {
  const problems = checkText(program, scope).problems
  return problems.map(({ message, next }) => `${message} ${next}`).join('\n')
}
