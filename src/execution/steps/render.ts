import { Environment } from 'minijinja-js'
import type { Json } from '../../base/canonical.ts'
import { utf8Bytes } from '../../base/canonical.ts'
import { failed, ok, type Problem } from '../../base/diagnostic.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { isRecord, recordOf } from '../path.ts'
import { problem } from '../problems.ts'
import type { LiveRow, Step, Stepped } from '../run.ts'
import { sourceOf } from './project.ts'

const MAX_TEMPLATE_BYTES = 64 * 1024
const MAX_ROWS = 10_000
const MAX_OUTPUT = 1_048_576
/** Steps of the engine: 10,000 rows with a hundred steps each. */
const FUEL = 1_000_000

/** A template over the rows: one row with `content`. */
export function runRender(operation: Extract<Operation, { kind: 'render' }>, step: Step): Stepped {
  const { partial, rows } = sourceOf(step, operation.source)
  const found =
    tooBig('The template in bytes', utf8Bytes(operation.template), MAX_TEMPLATE_BYTES) ??
    tooBig('Rows of a template', rows.length, MAX_ROWS) ??
    refused(operation.template)
  if (found) return failed([found])
  const rendered = render(
    operation.template,
    rows.map((row) => contextRow(row, operation.columns)),
  )
  if ('reason' in rendered) return failed([problem('template_failed', rendered)])
  const long = tooBig('Characters that the template gives', rendered.text.length, MAX_OUTPUT)
  if (long) return failed([long])
  return ok({
    columns: ['content'],
    rows: [{ values: { content: rendered.text } }],
    ...(partial && { partial }),
  })
}

function tooBig(what: string, size: number, limit: number): Problem | undefined {
  return size > limit ? problem('template_too_big', { what, size, limit }) : undefined
}

/** A row as the template sees it: every column, absent ones as null; `author.login` also as `author` with `login`. */
function contextRow(row: LiveRow, columns: readonly string[]): Json {
  const names = columns.length > 0 ? columns : Object.keys(row.values)
  const context = new Map<string, Json>()
  for (const name of names) {
    const value = Object.hasOwn(row.values, name) ? (row.values[name] ?? null) : null
    const [first = name, ...rest] = name.split('.')
    context.set(name, value)
    if (rest.length > 0) context.set(first, nested(context.get(first), rest, value))
  }
  return recordOf(context)
}

function nested(held: Json | undefined, path: readonly string[], value: Json): Json {
  const [key, ...rest] = path
  if (key === undefined) return value
  const inner = isRecord(held) ? held : {}
  return recordOf([
    ...Object.entries(inner),
    [key, nested(Object.hasOwn(inner, key) ? inner[key] : undefined, rest, value)],
  ])
}

/**
 * Fuel bounds steps, not memory: what builds text out of text again and again would fill it (`"x" * 1000000000`, a
 * variable doubled line by line). So templates have loops, conditions and filters, and none of that.
 */
function refused(template: string): Problem | undefined {
  const code = [...template.matchAll(/\{([{%])((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"'])*?)(?:[%}]\})/gs)]
  for (const [, kind, body = ''] of code) {
    const bare = body.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, '""')
    const statement = kind === '%' ? /^[-+]?\s*(\w+)/.exec(bare)?.[1] : undefined
    if (statement !== undefined && !STATEMENTS.has(statement))
      return problem('template_refused', {
        found: `\`{% ${statement} %}\``,
        allowed: '`for`, `if`, `else` and filters',
      })
    if (bare.includes('*'))
      return problem('template_refused', {
        found: '`*`',
        allowed: 'the filter `times`: `{{ r.price | times(r.count) }}`',
      })
  }
  return undefined
}

const STATEMENTS = new Set([
  'for',
  'endfor',
  'if',
  'elif',
  'else',
  'endif',
  'raw',
  'endraw',
  'break',
  'continue',
])

function render(
  template: string,
  rows: readonly Json[],
): { readonly text: string } | { readonly reason: string } {
  const environment = new Environment()
  try {
    environment.undefinedBehavior = 'strict'
    environment.fuel = FUEL
    for (const [name, filter] of Object.entries(FILTERS)) environment.addFilter(name, filter)
    return { text: environment.renderStr(template, { rows }) }
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : 'the template engine failed'
    return { reason: (message.split('\n')[0] ?? '').replaceAll(' (in <string>:', ' (line ').slice(0, 300) }
  } finally {
    environment.free()
  }
}

/** The engine's own filters of these names grow text without a bound. */
const FILTERS: Readonly<Record<string, (...given: never[]) => unknown>> = {
  times: (a: unknown, b: unknown) => Number(a) * Number(b),
  replace: (text: unknown, from: unknown, to: unknown) =>
    bounded(String(text).split(String(from)), String(to)),
  indent: (text: unknown, width: unknown = 4) => {
    const pad = ' '.repeat(Math.min(64, Math.max(0, Math.trunc(Number(width)) || 0)))
    return bounded(String(text).split('\n'), `\n${pad}`)
  },
  join: (items: unknown, separator: unknown = '') =>
    bounded(Array.isArray(items) ? items.map(String) : [String(items)], String(separator)),
}

function bounded(parts: readonly string[], separator: string): string {
  const size = parts.reduce(
    (sum, part) => sum + part.length,
    separator.length * Math.max(0, parts.length - 1),
  )
  if (size > MAX_OUTPUT) throw new Error(`more than ${MAX_OUTPUT} characters`)
  return parts.join(separator)
}
