import {
  ProxyTracerProvider,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
} from '@opentelemetry/api'
import type { Emit, Event } from '../../base/event.ts'

/** The most calls and effects that wait for their request to end, over all requests in progress. */
const MAX_WAITING = 10_000

/**
 * Exports events as OpenTelemetry spans: one span for each request, its API calls as children, its effects as span
 * events. All requests of a logical session share one trace, whose id is the session's trace id. Does nothing unless an
 * SDK was registered in this process before.
 */
export function openSpans(version: string): Emit {
  if (!isRegistered()) return () => undefined
  const tracer = trace.getTracer('plasmid', version)
  const waiting = new Map<unknown, Event[]>()
  let count = 0
  return (event) => {
    const request = event.facts['request_id']
    // Processes of servers start and write beside requests.
    if (request === undefined) return
    if (event.name !== 'request') {
      if (count >= MAX_WAITING) return
      count++
      waiting.set(request, [...(waiting.get(request) ?? []), event])
      return
    }
    const within = waiting.get(request) ?? []
    waiting.delete(request)
    count -= within.length
    const context = sessionContext(event.facts['trace_id'])
    const span = tracer.startSpan(
      `plasmid ${String(event.facts['request'])}`,
      { kind: SpanKind.SERVER, startTime: beginOf(event), attributes: requestAttributes(event) },
      context,
    )
    const own = trace.setSpan(context, span)
    for (const inner of within) {
      if (inner.name === 'api_call') callSpan(inner, own)
      else span.addEvent(inner.name, effectAttributes(inner), inner.at)
    }
    if (event.facts['ok'] === false) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(event.at)
  }

  function callSpan(event: Event, parent: Context): void {
    const options = { kind: SpanKind.CLIENT, startTime: beginOf(event), attributes: callAttributes(event) }
    const span = tracer.startSpan(String(event.facts['method']), options, parent)
    if (event.facts['ok'] === false || Number(event.facts['status']) >= 400)
      span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(event.at)
  }
}

function isRegistered(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('plasmid') !== undefined
}

/** The context of a session's trace: its spans share a parent that is never recorded. */
function sessionContext(traceId: unknown): Context {
  if (typeof traceId !== 'string') return ROOT_CONTEXT
  const id = traceId.replaceAll('-', '')
  const spanContext = { traceId: id, spanId: id.slice(16), traceFlags: TraceFlags.SAMPLED, isRemote: true }
  return trace.setSpanContext(ROOT_CONTEXT, spanContext)
}

function beginOf({ at, facts }: Event): number {
  return at - Number(facts['ms'] ?? 0)
}

function requestAttributes({ facts }: Event): Attributes {
  const { request, codes, logical_session_id: session } = facts
  return {
    'plasmid.request': request,
    ...(session !== undefined && { 'session.id': session }),
    ...(codes !== '' && codes !== undefined && { 'error.type': String(codes).split(',')[0] }),
    ...numbers(facts, ['rows', 'calls', 'bytes', 'effects', 'nodes', 'revision']),
  }
}

function callAttributes({ facts }: Event): Attributes {
  const { origin, method, status, codes, catalog, capability, requests } = facts
  const url = URL.canParse(String(origin)) ? new URL(String(origin)) : undefined
  const failure = codes === '' ? (Number(status) >= 400 ? String(status) : undefined) : codes
  return {
    'http.request.method': method,
    ...(url && {
      'server.address': url.hostname,
      'server.port': portOf(url),
      'url.scheme': url.protocol.slice(0, -1),
    }),
    ...(Number(status) > 0 && { 'http.response.status_code': status }),
    ...(failure !== undefined && { 'error.type': failure }),
    ...(Number(requests) > 1 && { 'http.request.resend_count': Number(requests) - 1 }),
    'http.response.body.size': facts['bytes'],
    'plasmid.catalog': catalog,
    'plasmid.capability': capability,
  }
}

function effectAttributes({ facts }: Event): Attributes {
  return {
    'plasmid.catalog': facts['catalog'],
    'plasmid.capability': facts['capability'],
    'plasmid.effect.state': facts['state'],
  }
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

function numbers(facts: Event['facts'], names: readonly string[]): Attributes {
  return Object.fromEntries(
    names.flatMap((name) => (facts[name] === undefined ? [] : [[`plasmid.${name}`, facts[name]]])),
  )
}
