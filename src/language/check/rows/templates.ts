import { problem } from '../../problems.ts'
import type { Segment } from '../../syntax/tree.ts'
import type { CheckedNode } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { knownColumns } from '../model/shape.ts'

const BLOCK = /\{[{%][\s\S]{0,4096}?[%}]\}/g
const FIELD = /(?:\.|\[")([A-Za-z_]\w*)/g

/** `rows <<TAG … TAG`: one row whose `content` is the template over the rows. It sees the columns that it names, else all. */
export function checkTemplate(
  context: Context,
  source: CheckedNode,
  segment: Extract<Segment, { kind: 'template' }>,
): CheckedNode | undefined {
  const template = segment.text.value
  const named = fieldsNamed(template)
  const known = knownColumns(source.rows)?.map((column) => column.name)
  if (!known && named.length === 0) {
    context.report(problem('template_columns', {}, { span: segment.span }))
    return undefined
  }
  const used = known ? known.filter((name) => named.includes(name)) : named
  const projected = source.kind === 'project'
  const columns = known && (projected || used.length === 0) ? known : used
  return {
    kind: 'render',
    source,
    columns,
    template,
    rows: {
      shape: 'one',
      single: true,
      columns: [{ name: 'content', type: { kind: 'string', semantics: 'document' }, brands: [] }],
    },
    span: segment.span,
  }
}

/** The names after a dot inside the template's blocks, each once. */
function fieldsNamed(template: string): readonly string[] {
  const names = new Set<string>()
  for (const [block] of template.matchAll(BLOCK))
    for (const match of block.matchAll(FIELD)) if (match[1] !== undefined) names.add(match[1])
  return [...names]
}
