import { problem } from '../../problems.ts'
import type { Expression, Program } from '../../syntax/tree.ts'
import type { Context } from '../model/context.ts'

/** Statements and steps. Plans are walked recursively, as deep as their longest chain. */
const MAX_STEPS = 500

/** Reports a program with too many steps; such a program is not checked further. */
export function refusesTooManySteps(context: Context, program: Program): boolean {
  const steps = stepsIn(program)
  if (steps <= MAX_STEPS) return false
  const last = program.roots.at(-1) ?? program.bindings.at(-1)
  const place = last ? { span: last.span } : {}
  context.report(problem('too_many_steps', { steps, most: MAX_STEPS }, place))
  return true
}

function stepsIn(program: Program): number {
  const expressions = [...program.bindings.map((binding) => binding.value), ...program.roots]
  return expressions.reduce((sum, expression) => sum + stepsOf(expression), 0)
}

function stepsOf(expression: Expression): number {
  switch (expression.kind) {
    case 'rows':
      return 1 + expression.segments.length
    case 'each':
      return stepsOf(expression.source) + stepsOf(expression.body)
    case 'literal':
      return 1
  }
}
