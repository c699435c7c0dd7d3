import type { Fix, Span } from '../../../base/diagnostic.ts'
import { problem } from '../../problems.ts'
import type { Name } from '../../syntax/tree.ts'
import type { CheckedNode } from '../model/checked.ts'
import type { Context } from '../model/context.ts'

/**
 * What a step does with the pages of the rows that it takes: `pages`: its rows are those of a list, page by page; `some`: it takes
 * no more of them than are wanted of it; `all`: it reads them all, and so there is no page of its rows; `none`: its rows are
 * read by themselves.
 */
interface Paging {
  readonly reads: 'pages' | 'some' | 'all' | 'none'
  /** Its rows are rows of its source. */
  readonly passes?: true
  /** Its name in messages. */
  readonly name?: string
}

const PAGING: Readonly<Record<CheckedNode['kind'], Paging>> = {
  query: { reads: 'pages' },
  page_size: { reads: 'pages' },
  project: { reads: 'some', passes: true },
  limit: { reads: 'some', passes: true },
  sort: { reads: 'all', passes: true, name: '`.sort`' },
  filter: { reads: 'all', passes: true },
  aggregate: { reads: 'all', name: 'an aggregate' },
  each: { reads: 'all', name: 'a loop' },
  singleton: { reads: 'all', name: '`.singleton`' },
  render: { reads: 'all', name: 'a template' },
  label: { reads: 'none' },
  get: { reads: 'none' },
  identity: { reads: 'none' },
  relation: { reads: 'none' },
  reference: { reads: 'none' },
  reverse: { reads: 'none' },
  call: { reads: 'none' },
  cursor: { reads: 'none' },
  data: { reads: 'none' },
  page: { reads: 'none' },
}

/** `.page_size(size)` of rows that a list gives. */
export function sized(
  context: Context,
  source: CheckedNode,
  { name, span }: { readonly name: Name; readonly span: Span },
  size: number | undefined,
): CheckedNode | undefined {
  if (PAGING[unlabelled(source).kind].reads === 'pages')
    return size === undefined
      ? undefined
      : { kind: 'page_size', source, count: size, rows: source.rows, span }
  const list = listBelow(source)
  const fix = list && size !== undefined && fixOf(list, source, { name, span }, size)
  context.report(problem('page_size_place', {}, { span: name.span, ...(fix && { fix }) }))
  return undefined
}

/** Rows that were sorted or filtered have no pages, and the first of them instead. */
function fixOf(
  list: CheckedNode,
  source: CheckedNode,
  { name, span }: { readonly name: Name; readonly span: Span },
  size: number,
): Fix {
  if (isReadWhole(source)) return { edits: [{ span: name.span, text: 'limit' }] }
  return {
    edits: [
      { span: { start: list.span.end, end: list.span.end }, text: `.page_size(${size})` },
      { span: { start: source.span.end, end: span.end }, text: '' },
    ],
  }
}

/** Reports a page size before a step that reads all rows. */
export function reportUnpaged(context: Context, before: CheckedNode, reader: CheckedNode['kind']): void {
  if (before.kind === 'project') return reportUnpaged(context, before.source, reader)
  const { reads, name = 'the step after it' } = PAGING[reader]
  if (before.kind !== 'page_size' || reads === 'pages' || reads === 'some') return
  context.report(problem('page_size_place', { reader: name }, { span: before.span }))
}

/** Is a list read to its end for these rows? */
function isReadWhole(node: CheckedNode): boolean {
  const step = unlabelled(node)
  return PAGING[step.kind].reads === 'all' || (step.kind === 'project' && isReadWhole(step.source))
}

/** The list read whose rows these are, sorted, limited or with other columns. */
function listBelow(node: CheckedNode): CheckedNode | undefined {
  const step = unlabelled(node)
  if (step.kind === 'query') return step
  return PAGING[step.kind].passes && 'source' in step && step.source ? listBelow(step.source) : undefined
}

function unlabelled(node: CheckedNode): CheckedNode {
  return node.kind === 'label' ? unlabelled(node.node) : node
}
