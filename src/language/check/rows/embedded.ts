import type { Fix } from '../../../base/diagnostic.ts'
import type { Segment } from '../../syntax/tree.ts'
import type { Target } from '../model/checked.ts'
import { type Context, withReports } from '../model/context.ts'

/** A relation whose row is part of its parent's answer. */
export function isEmbedded({ entity }: Target, wire: string): boolean {
  return entity.relations.some(({ name, many, via }) => name === wire && !many && via.kind === 'embedded')
}

/** `.user[login]` of an entity that the session does not have: its problem offers `[user.login]`, which the answer holds. */
export function offeringColumns(
  context: Context,
  target: Target | undefined,
  step: Segment,
  next: Segment | undefined,
): Context {
  const fix = target && asColumns(target, step, next)
  if (!fix) return context
  return withReports(context, (problem) =>
    problem.code === 'target_not_exposed' ? { ...problem, fix } : problem,
  )
}

function asColumns(target: Target, step: Segment, next: Segment | undefined): Fix | undefined {
  if (step.kind !== 'step' || step.predicates || next?.kind !== 'project') return undefined
  const [first, ...others] = next.fields
  if (!first || !isEmbedded(target, step.name.text)) return undefined
  const name = `${step.name.text}.`
  return {
    edits: [
      { span: { start: step.span.start, end: first.span.start }, text: `[${name}` },
      ...others.map(({ span: { start } }) => ({ span: { start, end: start }, text: name })),
    ],
  }
}
