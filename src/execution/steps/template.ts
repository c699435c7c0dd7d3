import { Environment } from 'minijinja-js'
import { utf8Bytes, type Json } from '../../base/canonical.ts'
import type { Problem } from '../../base/diagnostic.ts'
import { problem } from '../problems.ts'

const MAX_TEMPLATE_BYTES = 64 * 1024

/** The most characters that a template, or one filter in it, may give. */
export const MAX_OUTPUT = 1_048_576

export const STATEMENTS: ReadonlySet<string> = new Set([
  'for',
  'endfor',
  'if',
  'elif',
  'else',
  'endif',
  'break',
  'continue',
])

/** `rows` but in a loop, by one index, or through a filter that gives something small. */
const WHOLE_ROWS = /(?<!\bin\s{1,9}|[.\w])rows\b(?!\s*\[\s*-?\w+\s*\]|\s*\|\s*(?:length|count|first|last)\b)/

/** `rows` through any other filter: its items may be lists of many rows. */
const REGROUPED = /\bin\s{1,9}rows\s*\|/

/** What is wrong with a template whatever its rows: too long, refused, or no template at all. */
export function templateProblem(template: string): Problem | undefined {
  return (
    tooBig('The template in bytes', utf8Bytes(template), MAX_TEMPLATE_BYTES) ??
    refusedIn(template) ??
    syntaxProblem(template)
  )
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

/** The engine's own first line. */
function reasonOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : 'the template engine failed'
  return (message.split('\n')[0] ?? '')
    .replace(/ \(in (?:<string>|template):(\d+)\)/, ' (line $1)')
    .slice(0, 300)
}

/**
 * Fuel bounds steps, not memory: what builds text out of text again and again would fill it (`"x" * 1000000000`, a
 * variable doubled line by line). So templates have loops, conditions and filters, and none of that.
 */
function refusedIn(template: string): Problem | undefined {
  for (const code of codeIn(template)) {
    const { bare } = code
    const statement = statementOf(code)
    if (statement !== undefined && !STATEMENTS.has(statement)) {
      return problem('template_refused', {
        found: `\`{% ${statement} %}\``,
        allowed: '`for`, `if`, `else` and filters',
      })
    }
    if (bare.includes('*')) {
      return problem('template_refused', {
        found: '`*`',
        allowed: 'the filter `times`: `{{ r.price | times(r.count) }}`',
      })
    }
    if (WHOLE_ROWS.test(bare)) {
      return problem('template_refused', {
        found: 'all `rows` as one value',
        allowed: 'a loop: `{% for r in rows %}`',
      })
    }
  }
  return undefined
}

/** The word that a `{% %}` begins with. */
export function statementOf({
  kind,
  bare,
}: {
  readonly kind: string
  readonly bare: string
}): string | undefined {
  return kind === '%' ? (/^[-+]?\s*(\w+)/.exec(bare)?.[1] ?? '') : undefined
}

/** Does a loop of the template see anything bigger than a row? */
export function regroups(template: string): boolean {
  return codeIn(template).some(({ bare }) => REGROUPED.test(bare))
}

/** The code of a template, its strings emptied: what stands in `{{ }}` and `{% %}`, as the engine finds them. */
export function codeIn(template: string): readonly { readonly kind: string; readonly bare: string }[] {
  const found: { readonly kind: string; readonly bare: string }[] = []
  for (let at = template.indexOf('{'); at !== -1; at = template.indexOf('{', at)) {
    const kind = template[at + 1] ?? ''
    at += 2
    if (kind === '#') at = after(template, '#}', at)
    else if (kind === '{' || kind === '%') {
      const code = readCode(template, at, kind === '{' ? '}}' : '%}')
      found.push({ kind, bare: code.bare })
      at = code.end
    } else at -= 1
  }
  return found
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at === -1 ? text.length : at + mark.length
}

function readCode(text: string, from: number, mark: string): { readonly bare: string; readonly end: number } {
  let bare = ''
  let at = from
  while (at < text.length && !text.startsWith(mark, at)) {
    const character = text[at] ?? ''
    bare += character
    at++
    if (character !== '"' && character !== "'") continue
    while (at < text.length && text[at] !== character) at += text[at] === '\\' ? 2 : 1
    bare += character
    at++
  }
  return { bare, end: at + mark.length }
}

/** What a template may call by name. The engine does not survive a filter that throws. */
export type Filters = Readonly<Record<string, (...given: unknown[]) => unknown>>

/** Where a filter that would give too much says so: the most characters that it may give. */
export interface Bounds {
  exceeded?: number
}

/** The text of a template over a context, within so many steps of the engine; or why there is none. */
export function renderTemplate(
  template: string,
  context: { readonly [name: string]: Json },
  fuel: number,
  more: (bounds: Bounds) => Filters = () => ({}),
): { readonly text: string } | { readonly reason: string } {
  const environment = new Environment()
  const bounds: Bounds = {}
  try {
    environment.undefinedBehavior = 'strict'
    environment.fuel = fuel
    const all = { ...filtersWithin(bounds), ...more(bounds) }
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

/** An engine that broke off in the middle is still at work in its own eyes and cannot be given back. */
function release(environment: Environment): void {
  try {
    environment.free()
  } catch {
    // Lost: a few hundred bytes.
  }
}

/** Instead of the engine's own filters of these names, which grow text without a bound. */
function filtersWithin(bounds: Bounds): Filters {
  const joined = (parts: readonly string[], separator: string) => {
    const size = parts.reduce(
      (sum, part) => sum + part.length,
      separator.length * Math.max(0, parts.length - 1),
    )
    if (size <= MAX_OUTPUT) return parts.join(separator)
    bounds.exceeded = MAX_OUTPUT
    return ''
  }
  return {
    times: (a, b) => Number(a) * Number(b),
    replace: (text, from, to) => joined(String(text).split(String(from)), String(to)),
    indent: (text, width) => {
      const pad = Math.min(64, Math.max(0, Math.trunc(Number(width ?? 4)) || 0))
      return joined(String(text).split('\n'), `\n${' '.repeat(pad)}`)
    },
    join: (items, separator) =>
      joined(
        Array.isArray(items) ? items.map(String) : [String(items)],
        typeof separator === 'string' ? separator : '',
      ),
  }
}
