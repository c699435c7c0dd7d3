import type { AnswerFormat } from '../../catalog/calls/http-request.ts'
import type { WireCall } from '../../execution/wire.ts'
import { encodedBody } from './encode.ts'

type Pairs = readonly (readonly [string, string])[]

/** The credential of a call. */
export interface Proof {
  readonly headers: Pairs
  readonly query: Pairs
  /** A segment of the path, behind the base path of the catalog's address; encoded. */
  readonly segment?: string
  /** The secret parts: redacted from responses that repeat them. */
  readonly secrets: readonly string[]
  /** Signs the whole request, where the credential is a signature. */
  readonly sign?: (request: OutgoingRequest) => Promise<OutgoingRequest>
}

/** A request as it is sent. */
export interface OutgoingRequest {
  readonly method: string
  readonly origin: string
  /** With its query. */
  readonly path: string
  /** Names and values alternate. */
  readonly headers: readonly string[]
  readonly body: string | Uint8Array | null
  /** The answer is no JSON. */
  readonly answer?: AnswerFormat
  readonly secrets: readonly string[]
}

/** Some APIs give lines only where they are asked for. */
const ACCEPTED: Record<AnswerFormat | 'json', string> = {
  json: 'application/json',
  text: '*/*',
  bytes: '*/*',
  lines: 'application/x-ndjson, application/jsonl, application/json-seq, */*;q=0.1',
}

/** Headers that belong to the connection, not to the call. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Combines a call and its credential. The credential overrides what the call itself sets under the same name. */
export function requestOf(call: WireCall, url: URL, proof: Proof, userAgent: string): OutgoingRequest {
  const body = call.body ? encodedBody(call.body) : undefined
  const given = call.headers.filter(([name]) => {
    const lower = name.toLowerCase()
    return !OF_THE_CONNECTION.has(lower) && !lower.startsWith('proxy-') && lower !== 'accept-encoding'
  })
  const headers = [...without(given, proof.headers), ...withCookies(proof.headers, given)]
  const defaults: [string, string][] = [
    ['accept', ACCEPTED[call.answer ?? 'json']],
    ['user-agent', userAgent],
  ]
  if (body) defaults.push(['content-type', body.contentType])
  const all = [...without(defaults, headers), ['accept-encoding', 'gzip, deflate, br'] as const, ...headers]
  const path = pathOf(withSegment(url, call.catalog.origin, proof.segment), call.query, proof.query)
  return {
    method: call.method,
    origin: url.origin,
    path,
    headers: all.flat(),
    body: body?.content ?? null,
    ...(call.answer && { answer: call.answer }),
    secrets: proof.secrets,
  }
}

/** `/v3` and the rest of the path with the segment in between; the URL itself outside of the address. */
function withSegment(url: URL, address: string, segment: string | undefined): URL {
  const { origin, pathname } = new URL(address)
  const base = pathname.replace(/\/$/, '')
  const rest = url.pathname.slice(base.length)
  const isBelow = url.origin === origin && url.pathname.startsWith(base) && /^(?:\/|$)/.test(rest)
  if (segment === undefined || !isBelow) return url
  const whole = new URL(url)
  whole.pathname = `${base}/${segment}${rest === '/' ? '' : rest}`
  return whole
}

/** Cookies of the call follow one that is a credential. */
function withCookies(proof: Pairs, given: Pairs): Pairs {
  const isCookie = ([name]: readonly [string, string]) => name.toLowerCase() === 'cookie'
  const own = given.filter(isCookie).map(([, value]) => value)
  return proof.map((pair) => (isCookie(pair) ? [pair[0], [pair[1], ...own].join('; ')] : pair))
}

function without(pairs: Pairs, others: Pairs): Pairs {
  const names = new Set(others.map(([name]) => name.toLowerCase()))
  return pairs.filter(([name]) => !names.has(name.toLowerCase()))
}

/** Keeps the URL's own query, except parameters that carry a credential: a stored next link may hold an old one. */
function pathOf(url: URL, query: Pairs, proof: Pairs): string {
  const secret = new Set(proof.map(([name]) => name))
  const own = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && ![...new URLSearchParams(part).keys()].some((name) => secret.has(name)))
  const added = [...query.filter(([name]) => !secret.has(name)), ...proof].map(
    ([name, value]) => `${encoded(name)}=${encoded(value)}`,
  )
  const search = [...own, ...added].join('&')
  return search === '' ? url.pathname : `${url.pathname}?${search}`
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
