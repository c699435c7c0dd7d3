import { Environment } from 'minijinja-js'
import { utf8Bytes, type Json } from '../../../base/canonical.ts'
import type { Problem } from '../../../base/diagnostic.ts'
import { problem } from '../../problems.ts'
import type { Rendered } from '../../template.ts'
import {
  callsIn,
  type Code,
  codeIn,
  literalsIn,
  setsOneValue,
  statementOf,
} from '../../../base/text/template-code.ts'
import { type Bounds, boundedFilters, type Filters } from './filters.ts'

const MAX_TEMPLATE_BYTES = 64 * 1024

/** The maximum number of characters that a template, or one filter in it, may give. */
export const MAX_OUTPUT = 1_048_576

const STATEMENTS: ReadonlySet<string> = new Set([
  'set',
  'for',
  'endfor',
  'if',
  'elif',
  'else',
  'endif',
  'break',
  'continue',
])

/** Is it a statement that templates have, in a form that they have? */
export function mayStand(statement: string, code: Code): boolean {
  return STATEMENTS.has(statement) && (statement !== 'set' || setsOneValue(code))
}

/** `rows` outside of a loop, an index, or a filter with a small result. */
const WHOLE_ROWS = /(?<!\bin\s{1,9}|[.\w])rows\b(?!\s*\[\s*-?\w+\s*\]|\s*\|\s*(?:length|count|first|last)\b)/

/** `rows` through any other filter: its items may be lists of many rows. */
const REGROUPED = /\bin\s{1,9}rows\s*\|/

/** The problem of a template that does not depend on its rows: too long, refused, or invalid. */
export function templateProblem(template: string): Problem | undefined {
  const long = tooBig('The template in bytes', utf8Bytes(template), MAX_TEMPLATE_BYTES)
  if (long) return long
  const code = codeIn(template)
  return tooDeep(code) ?? refusedIn(code) ?? syntaxProblem(template)
}

/** A size that is over its limit. */
export function tooBig(what: string, size: number, limit: number): Problem | undefined {
  return size > limit ? problem('template_too_big', { what, size, limit }) : undefined
}

function syntaxProblem(template: string): Problem | undefined {
  const environment = new Environment()
  try {
    environment.addTemplate('template', template)
    return undefined
  } catch (thrown) {
    return problem('template_failed', { reason: reasonOf(thrown) })
  } finally {
    release(environment)
  }
}

/** The first line of the engine's message. */
function reasonOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : 'the template engine failed'
  return (message.split('\n')[0] ?? '')
    .replace(/ \(in (?:<string>|template):(\d+)\)/, ' (line $1)')
    .slice(0, 300)
}

/** The maximum number of characters of one piece of code: the engine is recursive and does not survive a stack overflow. */
const MAX_CODE = 2000
const MAX_BRANCHES = 200
/** The maximum number of `~` and `+` in one piece of code: each can double a value. */
const MAX_JOINS = 64

/** Code that would overflow the engine's stack: neither it nor any later template recovers from that. */
export function tooDeep(code: readonly Code[]): Problem | undefined {
  const longest = Math.max(0, ...code.map(({ bare }) => bare.length))
  const joins = Math.max(0, ...code.map(({ bare }) => bare.match(/[~+]/g)?.length ?? 0))
  const branches = code.filter((one) => statementOf(one) === 'elif').length
  return (
    tooBig('Characters between two braces of a template', longest, MAX_CODE) ??
    tooBig('`elif` of a template', branches, MAX_BRANCHES) ??
    tooBig('`~` and `+` between two braces of a template', joins, MAX_JOINS)
  )
}

/**
 * Fuel limits steps, not memory: code that builds text from text repeatedly would exhaust it (`"x" * 1000000000`, a
 * variable doubled line by line, text that is quoted in a list that is quoted in a list). So templates have loops,
 * conditions, filters and names of values that exist, and none of that.
 */
function refusedIn(code: readonly Code[]): Problem | undefined {
  for (const one of code) {
    const { bare } = one
    const statement = statementOf(one)
    const refused = (found: string, allowed: string) => problem('template_refused', { found, allowed })
    if (statement !== undefined && !mayStand(statement, one))
      return refused(
        `\`{% ${statement} %}\`${statement === 'set' ? ' of a value that is put together' : ''}`,
        statement === 'set'
          ? '`{% set name = rows[0].column %}` for a value that exists, and `aggregate` or `group_by` before the template for sums'
          : '`for`, `if`, `else`, `set` and filters',
      )
    if (bare.includes('*')) return refused('`*`', 'the filter `times`: `{{ r.price | times(r.count) }}`')
    if (WHOLE_ROWS.test(bare)) return refused('all `rows` as one value', 'a loop: `{% for r in rows %}`')
    const call = callsIn(bare).find((name) => !FUNCTIONS.has(name))
    if (call !== undefined)
      return refused(
        `\`${call}()\``,
        'filters, `range()` and columns of the rows, and `aggregate` or `group_by` before the template for sums',
      )
    if (literalsIn(bare).some((held) => /[A-Za-z_]/.test(held.replaceAll(/\b(?:true|false|none)\b/gi, ''))))
      return refused('a list or map of values', 'lists of constants: `{% if r.state in ["open", "new"] %}`')
  }
  return undefined
}

/** Calls that are allowed besides filters: a range is limited, and a loop only reads its own state. */
const FUNCTIONS: ReadonlySet<string> = new Set(['range', 'cycle', 'changed'])

/** Whether a loop of the template receives more than a row. */
export function regroups(template: string): boolean {
  return codeIn(template).some(({ bare }) => REGROUPED.test(bare))
}

/** Renders a template over a context within a number of engine steps, or gives the reason why it cannot. */
export function renderTemplate(
  template: string,
  context: { readonly [name: string]: Json },
  fuel: number,
  more: (bounds: Bounds) => Filters = () => ({}),
): Rendered {
  const environment = new Environment()
  const bounds: Bounds = {}
  try {
    environment.undefinedBehavior = 'strict'
    environment.fuel = fuel
    const all = { ...boundedFilters(bounds, MAX_OUTPUT), ...more(bounds) }
    for (const [name, filter] of Object.entries(all)) environment.addFilter(name, filter)
    const text = environment.renderStr(template, context)
    return bounds.exceeded === undefined
      ? { text }
      : { reason: `a filter gives more than ${bounds.exceeded} characters` }
  } catch (thrown) {
    return { reason: reasonOf(thrown) }
  } finally {
    release(environment)
  }
}

/** An engine that was interrupted stays borrowed and cannot be freed. */
function release(environment: Environment): void {
  try {
    environment.free()
  } catch {
    // This leaks a few hundred bytes.
  }
}
