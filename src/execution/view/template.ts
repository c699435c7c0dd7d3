import { encodeDate } from '../../catalog/values/date.ts'
import type { Json } from '../../base/canonical.ts'
import type { Rendered } from '../template.ts'
import { mayStand, renderTemplate, tooDeep } from '../steps/template/template.ts'
import { callsIn, type Code, codeIn, literalsIn, statementOf } from '../../base/text/template-code.ts'
import { type Bounds, type Filters, withMaps } from '../steps/template/filters.ts'

/** Engine steps: a view's template needs fewer than a hundred. */
const FUEL = 2000

/** The maximum number of characters of a template's values, and of the input of a filter. */
const MAX_TEXT = 32_768

/** The maximum number of `~` and `+` in one template: each can double a value. */
const MAX_JOINS = 16

/**
 * Renders a catalog's own template over the values of a view, or gives the reason why it cannot. Names without a value are
 * an error; the process and its environment are out of reach. Templates have conditions, loops, simple names and the
 * filters below, all of which are limited: the engine's fuel counts steps, not memory.
 */
export function renderViewTemplate(template: string, context: { readonly [name: string]: Json }): Rendered {
  const plain = withoutMethods(template)
  const code = codeIn(plain)
  const deep = tooDeep(code)
  if (deep) return { reason: deep.message }
  const refused = refusedIn(code)
  if (refused !== undefined) return { reason: `${refused} has no place in the template of a view` }
  if (JSON.stringify(context).length > MAX_TEXT)
    return { reason: `its values have over ${MAX_TEXT} characters` }
  return renderTemplate(plain, context, FUEL, filtersWithin)
}

/** `x.split('-')[0]` is another way to write `(x | split('-'))[0]`. */
function withoutMethods(template: string): string {
  return template.replaceAll(/([A-Za-z_][\w.]*)\.split\(\s*('[^']*'|"[^"]*")\s*\)/g, '($1 | split($2))')
}

function refusedIn(code: readonly Code[]): string | undefined {
  let joins = 0
  for (const one of code) {
    const { bare } = one
    const statement = statementOf(one)
    if (statement !== undefined && !mayStand(statement, one)) return `\`{% ${statement} %}\``
    const stranger = [...bare.matchAll(/\|\s*(\w+)/g)].find(([, name = '']) => !NAMES.has(name))
    if (stranger) return `the filter \`${stranger[1]}\``
    if (callsIn(bare).length > 0) return 'a call'
    if (literalsIn(bare).some((held) => /[A-Za-z_]/.test(held))) return 'a list or a map of values'
    if (bare.includes('*')) return '`*`'
    joins += bare.match(/[~+]/g)?.length ?? 0
  }
  return joins > MAX_JOINS ? `\`~\` more than ${MAX_JOINS} times` : undefined
}

/** The separator of a split: a space if none is given. */
function partOf(separator: unknown): string {
  return typeof separator === 'string' && separator !== '' ? separator : ' '
}

function withoutSlash(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
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
