import { codeIn } from '../../../base/text/template-code.ts'
import { problem } from '../../problems.ts'
import type { Segment } from '../../syntax/tree.ts'
import type { CheckedNode } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { knownColumns } from '../model/shape.ts'
import { related } from '../../../base/suggest.ts'
import { listed } from '../model/context.ts'

const LOOP = /\{%-?\s{0,9}for\s{1,9}([A-Za-z_]\w*)\s{1,9}in\s{1,9}rows\b(?!\s{0,9}(?:[[.]|\|\s{0,9}groupby))/g
const OTHER_LOOP =
  /\{%-?\s{0,9}(?:for\s{1,9}([A-Za-z_]\w*)\s{1,9}in\s{1,9}(?!rows\b(?!\s{0,9}[[.]))|set\s{1,9}([A-Za-z_]\w*))/g
const MEMBER = /(?<![\w.\])])([A-Za-z_]\w*)\.([A-Za-z_]\w*)(?!\s*\()/g
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
  if (known && refusesUnknownColumns(context, segment, known)) return undefined
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

/** Reports names that the template reads from a row and that the rows do not have. */
function refusesUnknownColumns(
  context: Context,
  { text }: Extract<Segment, { kind: 'template' }>,
  columns: readonly string[],
): boolean {
  const strangers = [...rowFields(text.value)].filter(
    (name) => !columns.some((column) => column === name || column.startsWith(`${name}.`)),
  )
  for (const name of strangers)
    context.report(
      problem(
        'unknown_field',
        { name, of: 'a row of the template', known: listed(columns) },
        { span: text.span, nearest: related(name, columns) },
      ),
    )
  return strangers.length > 0
}

/** The first names behind the variables of loops over `rows`, and behind `rows[0]`. */
function rowFields(template: string): ReadonlySet<string> {
  const loops = new Set([...template.matchAll(LOOP)].map(([, name = '']) => name))
  const inner = new Set([...template.matchAll(OTHER_LOOP)].map(([, name = '']) => name))
  const fields = new Set<string>()
  for (const { bare } of codeIn(template)) {
    for (const [, variable = '', name = ''] of bare.matchAll(MEMBER))
      if (loops.has(variable) && !inner.has(variable)) fields.add(name)
    for (const [, name = ''] of bare.matchAll(/\brows\[\d+\]\.([A-Za-z_]\w*)/g)) fields.add(name)
  }
  return fields
}

/** The names after a dot inside the template's blocks, each once. */
function fieldsNamed(template: string): readonly string[] {
  const names = new Set<string>()
  for (const { text } of codeIn(template))
    for (const match of text.matchAll(FIELD)) if (match[1] !== undefined) names.add(match[1])
  return [...names]
}
