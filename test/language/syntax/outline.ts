import type {
  Arguments,
  Entry,
  Expression,
  FieldPath,
  Head,
  Predicate,
  Program,
  Segment,
  Value,
} from '../../../src/language/syntax/tree.ts'

/** The whole tree on a few lines, every kind named, so that a table of programs can be read. */
export function outline({ bindings, roots }: Program): string[] {
  return [
    ...bindings.map((each) => `${each.label.text} := ${expression(each.value)}`),
    ...roots.map(expression),
  ]
}

function expression(node: Expression): string {
  if (node.kind === 'literal') return `literal ${value(node.value)}`
  if (node.kind === 'each') return `each <${expression(node.source)}> <${expression(node.body)}>`
  return [head(node.head), ...node.segments.map(segment)].join(' ')
}

function head(node: Head): string {
  switch (node.kind) {
    case 'name':
      return `name ${node.name.text}`
    case 'cursor':
      return 'cursor'
    case 'page':
      return `page ${node.handle.text}${node.limit ? ` limit ${value(node.limit)}` : ''}`
    case 'get':
      return `get ${node.entity.text}${held(node.arguments)}`
    case 'query':
      return `query ${node.entity.text}${filter(node)}`
    case 'search':
      break
  }
  return `search ${node.entity.text} ${value(node.text)}${filter(node)}`
}

function segment(node: Segment): string {
  switch (node.kind) {
    case 'step':
      return `step ${node.name.text}${node.predicates ? filter({ ...node, predicates: node.predicates }) : ''}`
    case 'call':
      return `call ${node.name.text}${held(node.arguments)}`
    case 'reverse':
      return `reverse ${node.entity.text}${filter(node)}`
    case 'filter':
      return `filter ${filter(node)}`
    case 'project':
      return `project [${node.fields.map(field).join(' ')}]`
    case 'template':
      break
  }
  return `template ${value(node.text)}`
}

function field({ names }: FieldPath): string {
  return names.map(({ text }) => text).join('.')
}

function filter(node: { readonly predicates: readonly Predicate[]; readonly ellipsis?: unknown }): string {
  const all = node.predicates.map(
    (each) => `${field(each.field)} ${each.operator} ${each.value ? value(each.value) : 'nothing'}`,
  )
  return `{${[...all, ...(node.ellipsis ? ['..'] : [])].join('; ')}}`
}

function held({ positional, named, ellipsis }: Arguments): string {
  return `(${[...positional.map(value), ...named.map(entry), ...(ellipsis ? ['..'] : [])].join('; ')})`
}

function entry(node: Entry): string {
  return `${node.name.text}: ${value(node.value)}`
}

function value(node: Value): string {
  switch (node.kind) {
    case 'text':
      return `${node.form} ${JSON.stringify(node.value)}`
    case 'number':
      return `number ${node.text}`
    case 'bare':
      return `bare ${JSON.stringify(node.text)}`
    case 'path':
      return `path ${node.names.map(({ text }) => text).join('.')}`
    case 'list':
      return `[${node.items.map(value).join('; ')}]`
    case 'object':
      return `{${node.entries.map(entry).join('; ')}}`
    case 'call':
      return `call ${node.name.text}${held(node.arguments)}`
    case 'constructor':
      return `make ${node.name.text}{${[...node.entries.map(entry), ...(node.ellipsis ? ['..'] : [])].join('; ')}}`
    case 'hole':
      break
  }
  return 'hole'
}
