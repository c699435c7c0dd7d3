import { encodeDate } from '../catalog/date.ts'
import type { Json } from '../base/canonical.ts'
import {
  type Bounds,
  codeIn,
  type Filters,
  renderTemplate,
  STATEMENTS,
  statementOf,
} from './steps/template.ts'

/** Steps of the engine: what a view says fits into a hundred. */
const FUEL = 2000

/** The most characters of a template's values, and of what a filter takes. */
const MAX_TEXT = 32_768

/** `~` and `+` in one template: each can make a value as long again. */
const MAX_JOINS = 16

/**
 * The text of a catalog's own template over the values of a view, or why there is none. Names without a value are an
 * error; nothing of the process or its environment is in reach. It has conditions, loops, simple names and the filters
 * below, all of which are bounded: the engine's fuel counts steps, not memory.
 */
export function renderViewTemplate(
  template: string,
  context: { readonly [name: string]: Json },
): { readonly text: string } | { readonly reason: string } {
  const plain = withoutMethods(template)
  const refused = refusedIn(plain)
  if (refused !== undefined) return { reason: `${refused} has no place in the template of a view` }
  if (JSON.stringify(context).length > MAX_TEXT)
    return { reason: `its values have over ${MAX_TEXT} characters` }
  return renderTemplate(plain, context, FUEL, filtersWithin)
}

/** `x.split('-')[0]` is another way to write `(x | split('-'))[0]`. */
function withoutMethods(template: string): string {
  return template.replaceAll(/([A-Za-z_][\w.]*)\.split\(\s*('[^']*'|"[^"]*")\s*\)/g, '($1 | split($2))')
}

const KEYWORDS = ['if', 'elif', 'else', 'in', 'not', 'and', 'or', 'is']
/** `name(` that is no filter. */
const CALL = new RegExp(`(?<!\\|\\s{0,9})\\b(?!(?:${KEYWORDS.join('|')})\\b)[A-Za-z_]\\w*\\s*\\(`)
/** A `[` or `{` that begins a value. */
const LITERAL = /(?<![\w\])'"]\s{0,9})\[|\{/

function refusedIn(template: string): string | undefined {
  let joins = 0
  for (const code of codeIn(template)) {
    const { bare } = code
    const statement = statementOf(code)
    const sets = statement === 'set' && /^[-+]?\s*set\s+\w+\s*=(?!=)[^~+]*$/.test(bare.replace(/\+$/, ''))
    if (statement !== undefined && !sets && !STATEMENTS.has(statement)) return `\`{% ${statement} %}\``
    const stranger = [...bare.matchAll(/\|\s*(\w+)/g)].find(([, name = '']) => !NAMES.has(name))
    if (stranger) return `the filter \`${stranger[1]}\``
    if (CALL.test(bare)) return 'a call'
    if (LITERAL.test(bare)) return 'a list or a map'
    if (bare.includes('*')) return '`*`'
    joins += bare.match(/[~+]/g)?.length ?? 0
  }
  return joins > MAX_JOINS ? `\`~\` more than ${MAX_JOINS} times` : undefined
}

/** What text is split at: a blank where nothing is said. */
function partOf(separator: unknown): string {
  return typeof separator === 'string' && separator !== '' ? separator : ' '
}

function withoutSlash(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}

/** The engine hands objects over as maps. */
function withMaps(_: string, held: unknown): unknown {
  return held instanceof Map ? Object.fromEntries(held) : held
}

function filtersWithin(bounds: Bounds): Filters {
  const textual =
    (filter: (text: string, ...more: readonly unknown[]) => unknown, always = false) =>
    (value: unknown, ...more: readonly unknown[]): unknown => {
      const text = typeof value === 'string' && !always ? value : (JSON.stringify(value, withMaps) ?? '')
      if (text.length <= MAX_TEXT) return filter(text, ...more)
      bounds.exceeded = MAX_TEXT
      return ''
    }
  const isList = (value: unknown) => Array.isArray(value) || typeof value === 'string'
  return {
    default: (value, otherwise) => value ?? otherwise,
    first: (value) => (isList(value) ? value[0] : undefined),
    last: (value) => (isList(value) ? value.at(-1) : undefined),
    length: (value) => (isList(value) ? value.length : undefined),
    lower: textual((text) => text.toLowerCase()),
    upper: textual((text) => text.toUpperCase()),
    trim: textual((text) => text.trim()),
    string: textual((text) => text),
    int: textual((text) => (Number.isFinite(Number(text)) ? Math.trunc(Number(text)) : undefined)),
    split: textual((text, separator) => text.split(partOf(separator))),
    split_part: textual((text, separator, index) => text.split(partOf(separator))[Number(index)]),
    strip_trailing_slash: textual(withoutSlash),
    urlencode: textual((text) => new URLSearchParams([['', text.toWellFormed()]]).toString().slice(1)),
    json_encode: textual((text) => text, true),
    wire_time: textual((text, format) => encodeDate(text, formatOf(format))?.value ?? text),
  }
}

const NAMES: ReadonlySet<string> = new Set(Object.keys(filtersWithin({})))

const FORMATS = ['rfc3339', 'unix_ms', 'unix_sec', 'iso8601_date'] as const

function formatOf(name: unknown): (typeof FORMATS)[number] {
  return FORMATS.find((format) => format === name) ?? 'rfc3339'
}
