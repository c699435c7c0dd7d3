import { failed, ok, type Problem, type Result } from '../../../base/diagnostic.ts'
import type { ExactJson } from '../../../base/canonical.ts'
import type { PathSegment } from '../../../catalog/calls/http-request.ts'
import { jsonText, scalarText } from '../../../base/json.ts'
import { problem } from '../../problems.ts'
import type { UnaddressedCall } from '../../wire.ts'
import type { Filling } from './evaluate.ts'

/**
 * Where a call goes. Values are percent-encoded and can change neither the number of segments nor the origin: empty
 * values, control characters, dot segments (also encoded ones) and, unless the segment takes slashes, slashes are refused or
 * encoded. An absolute URL is only what the template itself spells out; the wire refuses it on an origin that the catalog does
 * not declare.
 */
export function targetOf(path: readonly PathSegment[], filling: Filling): Result<UnaddressedCall['target']> {
  const problems: Problem[] = []
  const segments = path.map((segment) => {
    if (segment.type === 'literal') return segment.value
    const built = fill(segment, filling)
    if (!built.ok) problems.push(...built.problems)
    return built.ok ? built.value : ''
  })
  if (problems.length > 0) return failed(problems)
  const [first] = path
  if (!first) return ok({ path: '/' })
  const absolute = first?.type === 'literal' && /^https?:\/\//i.test(first.value)
  const joined = segments.reduce((text, part, at) => `${text}${path[at]?.glued ? '' : '/'}${part}`)
  const text = absolute ? joined : `/${joined.replace(/^\/+/, '')}`
  const changed = escapes(text, absolute)
  if (changed !== undefined) {
    return failed([problem('unsafe_argument', { ...filling.where, name: 'path', found: changed })])
  }
  return ok(absolute ? { url: text } : { path: text })
}

function fill(segment: Extract<PathSegment, { type: 'var' }>, filling: Filling): Result<string> {
  const { name, suffix, encode } = segment
  const value: ExactJson | undefined = filling.env.get(name)
  if (value === null && filling.nulls.has(name))
    return failed([problem('null_not_sent', { ...filling.where, name })])
  if (value === undefined || value === null) {
    return failed([
      problem(filling.optional.has(name) ? 'argument_missing' : 'template_variable_missing', {
        ...filling.where,
        name,
      }),
    ])
  }
  const text = scalarText(value)
  const unsafe = (found: string) => failed([problem('unsafe_argument', { ...filling.where, name, found })])
  if (text === undefined) return unsafe(jsonText(value))
  if (text === '' || !text.isWellFormed() || /\p{Cc}/u.test(text)) return unsafe(JSON.stringify(text))
  const parts = encode === 'slashes' ? text.split('/') : [text]
  // A suffix cannot make `..` harmless: `..` + `` and `.` + `.` are read by the URL parser as they come out.
  const last = parts.length - 1
  if (
    parts.some((part, index) => part === '' || isDots(index === last ? part + suffix : part)) ||
    // An encoded slash, too: some gateways decode it before they resolve dot segments.
    text.split(/[/\\]|%2f|%5c/i).some(isDots)
  )
    return unsafe(text)
  return ok(parts.map((part) => encodeURIComponent(part)).join('/') + suffix)
}

/** `.`, `..` and what URL parsers take for them. */
function isDots(part: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(part)
}

/** An origin to read paths under: which one the call goes to is known when it is sent. */
const ANY_ORIGIN = 'https://api.invalid'

/** Does the URL parser read the same path, on the same origin? What it makes of it if not. */
function escapes(text: string, absolute: boolean): string | undefined {
  let url: URL
  try {
    url = absolute ? new URL(text) : new URL(`${ANY_ORIGIN}${text}`)
  } catch {
    return text
  }
  if ((!absolute && url.origin !== ANY_ORIGIN) || url.username !== '' || url.password !== '')
    return url.origin
  const wanted = absolute ? text.replace(/^https?:\/\/[^/?#]*/i, '') : text
  const [path = ''] = wanted.split(/[?#]/)
  return url.pathname.split('/').length === (path === '' ? '/' : path).split('/').length
    ? undefined
    : url.pathname
}
