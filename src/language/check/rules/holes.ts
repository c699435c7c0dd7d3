import type { Span } from '../../../base/diagnostic.ts'
import { problem } from '../../problems.ts'
import type { Arguments, Expression, Head, Predicate, Segment, Value } from '../../syntax/tree.ts'
import type { Context } from '../model/context.ts'
import type { ProgramRule } from './site.ts'

/** `$` and `..` are allowed in teaching tables only. Checks the tree, so a `$` inside text is allowed. */
export const noHoles: ProgramRule = (context, program) => {
  if (context.teaching) return
  for (const { value } of program.bindings) inExpression(context, value)
  for (const root of program.roots) inExpression(context, root)
}

function inExpression(context: Context, expression: Expression): void {
  switch (expression.kind) {
    case 'rows':
      inHead(context, expression.head)
      for (const segment of expression.segments) inSegment(context, segment)
      break
    case 'each':
      inExpression(context, expression.source)
      inExpression(context, expression.body)
      break
    case 'literal':
      inValue(context, expression.value)
      break
  }
}

function inHead(context: Context, head: Head): void {
  if (head.kind === 'get') inArguments(context, head.arguments)
  if (head.kind === 'search') inValue(context, head.text)
  if (head.kind === 'query' || head.kind === 'search') inPredicates(context, head.predicates, head.ellipsis)
  if (head.kind === 'page') inValue(context, head.limit)
}

function inSegment(context: Context, segment: Segment): void {
  if (segment.kind === 'call') inArguments(context, segment.arguments)
  if (segment.kind === 'step' || segment.kind === 'reverse')
    inPredicates(context, segment.predicates ?? [], segment.ellipsis)
}

function inPredicates(context: Context, predicates: readonly Predicate[], ellipsis: Span | undefined): void {
  for (const predicate of predicates) inValue(context, predicate.value)
  ellipsisAt(context, ellipsis, predicates)
}

function inArguments(context: Context, args: Arguments): void {
  for (const value of args.positional) inValue(context, value)
  for (const entry of args.named) inValue(context, entry.value)
  ellipsisAt(context, args.ellipsis, [...args.positional, ...args.named])
}

/** The fix removes the mark and the comma before it. */
function ellipsisAt(
  context: Context,
  span: Span | undefined,
  others: readonly { readonly span: Span }[],
): void {
  if (!span) return
  const start = Math.max(...others.map((other) => other.span.end), 0) || span.start
  const fix = { edits: [{ span: { start, end: span.end }, text: '' }] }
  context.report(problem('ellipsis', {}, { span, fix }))
}

function inValue(context: Context, value: Value | undefined): void {
  switch (value?.kind) {
    case 'hole':
      context.report(problem('placeholder', {}, { span: value.span }))
      break
    case 'list':
      for (const item of value.items) inValue(context, item)
      break
    case 'object':
    case 'constructor':
      for (const entry of value.entries) inValue(context, entry.value)
      ellipsisAt(context, value.ellipsis, value.entries)
      break
    case 'call':
      inArguments(context, value.arguments)
      break
    default:
      break
  }
}
