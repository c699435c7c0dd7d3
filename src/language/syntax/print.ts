import { classify, isBlank } from './bare.ts'
import { freeTag } from './heredoc.ts'
import type {
  Arguments,
  Entry,
  Expression,
  FieldPath,
  Head,
  Predicate,
  Program,
  Segment,
  TextValue,
  Value,
} from './tree.ts'

const NAME = /^[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*$/
const PLAIN_START = /^[A-Za-z0-9_\-./@+*%\u00A1-\uFEFE]/

/**
 * The program in its canonical form: one binding per line, the roots on the last, `, ` between entries, `=` for every key.
 * Given a tree that was parsed without problems, parsing the text gives an equal tree, except for spans.
 */
export function print(program: Program): string {
  const bindings = program.bindings.map(({ label, value }) => `${label.text} = ${expression(value)}\n`)
  const roots = program.roots.map((root, index, all) => {
    const printed = expression(root)
    // On a line of its own it would continue the binding above.
    const continues = index === 0 && bindings.length > 0 && /^[[{]/.test(printed)
    return (
      (continues ? bracketed(root) : printed) +
      (index === all.length - 1 ? '' : endsInHeredoc(root) ? ',\n' : ', ')
    )
  })
  return [...bindings, ...roots].join('')
}

/** A heredoc's tag must end its line: only closers and commas may follow on it. */
function endsInHeredoc(node: Expression): boolean {
  if (node.kind === 'each') return node.body.kind !== 'each' && endsInHeredoc(node.body)
  if (node.kind === 'literal') return node.value.kind === 'text' && node.value.form === 'heredoc'
  return node.segments.at(-1)?.kind === 'template' && !needsBrackets(node.head, node.segments)
}

function expression(node: Expression): string {
  switch (node.kind) {
    case 'literal':
      return literal(node.value)
    case 'rows':
      return rows(node.head, node.segments)
    case 'each':
      break
  }
  const body = node.body.kind === 'each' ? bracketed(node.body) : expression(node.body)
  return `${expression(node.source)}${endsInHeredoc(node.source) ? '\n' : ' '}=> ${body}`
}

function bracketed(node: Expression): string {
  const inner = node.kind === 'each' ? node.body : node
  return `(${expression(node)}${endsInHeredoc(inner) ? '\n' : ''})`
}

function literal(value: Value): string {
  if (value.kind === 'text') return text(value)
  const printed = printValue(value)
  // Unescaped, a word before a sign of equality would be read as the label of a binding.
  return value.kind === 'bare' ? printed.replace(/^([^\s\\=]+[ \t\r]*)=/, '$1\\=') : printed
}

function rows(head: Head, segments: readonly Segment[]): string {
  const wrapped = needsBrackets(head, segments)
  const [first] = segments
  const token = head.kind === 'search' && head.text.kind !== 'text' && head.predicates.length === 0
  const gap = token && first?.kind === 'step' ? ' ' : ''
  const parts = [printHead(head), gap, ...segments.map((part) => segment(part, wrapped))].join('')
  return wrapped ? `(${parts})` : parts
}

/** Rows with steps after a heredoc are put in brackets, where its line may end after the tag. */
function needsBrackets(head: Head, segments: readonly Segment[]): boolean {
  if (head.kind === 'search' && head.text.kind === 'text' && head.text.form === 'heredoc') return true
  return segments.slice(0, -1).some(({ kind }) => kind === 'template')
}

function printHead(head: Head): string {
  switch (head.kind) {
    case 'name':
      return head.name.text
    case 'cursor':
      return '_'
    case 'page':
      return `page(${head.handle.text}${head.limit === undefined ? '' : `, limit=${printValue(head.limit)}`})`
    case 'get':
      return head.entity.text + callArguments(head.arguments)
    case 'query':
      return head.entity.text + conditions(head)
    case 'search':
      break
  }
  return `${head.entity.text}~${searched(head.text)}${hasConditions(head) ? conditions(head) : ''}`
}

/** As a token: it would end at spaces and at text that looks like a segment. */
function searched(value: Value): string {
  if (value.kind !== 'bare') return printValue(value)
  return bare(value.text).replace(/\\[^]|[ \t\r\u00A0\uFEFF]|\.(?=\^)/g, (found) =>
    found.length > 1 ? found : `\\${found}`,
  )
}

function segment(node: Segment, wrapped: boolean): string {
  switch (node.kind) {
    case 'step':
      return `.${node.name.text}${node.predicates === undefined ? '' : conditions({ ...node, predicates: node.predicates })}`
    case 'call':
      return `.${node.name.text}${callArguments(node.arguments)}`
    case 'reverse':
      return `.^${node.entity.text}${hasConditions(node) ? conditions(node) : ''}`
    case 'filter':
      return conditions(node)
    case 'project':
      return `[${node.fields.map((field) => `${field.as ? `${field.as.text}=` : ''}${path(field)}`).join(', ')}]`
    case 'template':
      break
  }
  return ` ${text(node.text)}${wrapped ? '\n' : ''}`
}

type Conditions = { readonly predicates: readonly Predicate[]; readonly ellipsis?: unknown }

function hasConditions(node: Conditions): boolean {
  return node.predicates.length > 0 || node.ellipsis !== undefined
}

function conditions(node: Conditions): string {
  const printed = node.predicates.map(({ field, operator, value }) => {
    return `${path(field)}${operator}${value === undefined ? '' : printValue(value)}`
  })
  return `{${withEllipsis(printed, node.ellipsis)}}`
}

function callArguments({ positional, named, ellipsis }: Arguments): string {
  const values = positional.map((value) => {
    const printed = printValue(value)
    return value.kind === 'bare' && /^[A-Za-z_][\w-]*[ \t\r]*[=:]/.test(printed) ? `\\${printed}` : printed
  })
  return `(${withEllipsis([...values, ...named.map(entry)], ellipsis)})`
}

function entry({ name, value }: Entry): string {
  return `${key(name.text)}=${printValue(value)}`
}

function key(name: string): string {
  return NAME.test(name) ? name : quoted(name)
}

function path({ names }: FieldPath): string {
  return names.map((name, index) => (index === 0 ? key(name.text) : name.text)).join('.')
}

function withEllipsis(items: readonly string[], ellipsis: unknown): string {
  return (ellipsis === undefined ? items : [...items, '..']).join(', ')
}

/** The value between brackets, where line breaks are spaces. */
function printValue(value: Value): string {
  switch (value.kind) {
    case 'text':
      return value.form === 'heredoc' ? `${text(value)}\n` : text(value)
    case 'number':
    case 'path':
      return value.text
    case 'bare':
      return bare(value.text)
    case 'hole':
      return '$'
    case 'list':
      return `[${value.items.map(printValue).join(', ')}]`
    case 'call':
      return value.name.text + callArguments(value.arguments)
    case 'object':
      return `{${withEllipsis(value.entries.map(entry), value.ellipsis)}}`
    case 'constructor':
      break
  }
  return `${value.name.text}{${withEllipsis(value.entries.map(entry), value.ellipsis)}}`
}

function text({ value, form }: TextValue): string {
  if (form === 'single') return `'${value.replace(/\\/g, '\\\\').replace(/'/g, "''")}'`
  if (form === 'double') return quoted(value)
  const tag = freeTag(value)
  return `<<${tag}\n${value}${tag}`
}

function quoted(value: string): string {
  return JSON.stringify(value)
}

/** Unquoted text, with a `\` before each character that would end it or change its meaning. */
function bare(value: string): string {
  const escaped = value
    .replace(
      /[\\,()[\]{}]|;(?=;)|=(?=>)|<(?=<)|(?<=[=(,[{:~<>][ \t]*)["']|^[ \t\r\u00A0\uFEFF]|[ \t\r\u00A0\uFEFF]$/g,
      '\\$&',
    )
    .replace(/(\s)(?=(?:&&|and)\s+[A-Za-z_][\w.]*\s*(?:[=<>~]|!=))/gi, '$1\\')
  const [first = ''] = escaped
  if (first === '\\') return escaped
  const span = { start: 0, end: value.length }
  const plain =
    PLAIN_START.test(escaped) &&
    !isBlank(first) &&
    escaped !== '..' &&
    classify(escaped, span).kind === 'bare'
  return plain ? escaped : `\\${escaped}`
}
