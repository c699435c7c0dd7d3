import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanOptions,
  type TracerProvider,
} from '@opentelemetry/api'
import { openSpans } from '../../../src/adapters/telemetry/spans.ts'
import type { Event } from '../../../src/base/event.ts'

interface Recorded {
  readonly name: string
  readonly options: SpanOptions
  readonly trace: string | undefined
  readonly parent: string | undefined
  readonly id: string
  readonly events: { readonly name: string; readonly attributes: Attributes; readonly at: unknown }[]
  failed: boolean
  end: unknown
}
const spans: Recorded[] = []

/** The least that an SDK does. */
const provider: TracerProvider = {
  getTracer: () => ({
    startSpan: (name: string, options: SpanOptions = {}, context?: Context): Span => {
      const parent = context && trace.getSpanContext(context)
      const id = String(spans.length + 1).padStart(16, '0')
      const recorded: Recorded = {
        name,
        options,
        trace: parent?.traceId,
        parent: parent?.spanId,
        id,
        events: [],
        failed: false,
        end: undefined,
      }
      spans.push(recorded)
      const traceId = parent?.traceId ?? '0'.repeat(31) + '1'
      const span: Span = {
        spanContext: () => ({ traceId, spanId: id, traceFlags: 1 }),
        addEvent: (event, attributes, at) => {
          recorded.events.push({ name: event, attributes: Object(attributes), at })
          return span
        },
        setStatus: () => ((recorded.failed = true), span),
        end: (at) => void (recorded.end = at),
        setAttribute: () => span,
        setAttributes: () => span,
        addLink: () => span,
        addLinks: () => span,
        updateName: () => span,
        isRecording: () => true,
        recordException: () => undefined,
      }
      return span
    },
    startActiveSpan: () => {
      throw new Error('nothing is active here')
    },
  }),
}

beforeAll(() => void trace.setGlobalTracerProvider(provider))
afterAll(() => trace.disable())

const TRACE = '0f8a3b5c-1d2e-5f60-8a7b-9c0d1e2f3a4b'
const event = (name: string, at: number, facts: Event['facts']): Event => ({
  name,
  at,
  facts: { request: 'run', request_id: 1, trace_id: TRACE, logical_session_id: 'session', ...facts },
})

test('a session is one trace, its calls are children', () => {
  const emit = openSpans('1')
  const call = { catalog: 'shop', capability: 'customer_query', origin: 'https://api.example', bytes: 9 }
  emit(
    event('api_call', 20, { ...call, method: 'GET', status: 503, ok: false, codes: 'x', requests: 3, ms: 5 }),
  )
  emit(event('effect', 25, { catalog: 'shop', capability: 'customer_delete', state: 'done' }))
  emit(event('request', 30, { ok: false, codes: 'upstream_error,other', ms: 20, rows: 0, calls: 1 }))
  const id = TRACE.replaceAll('-', '')
  const [request, api] = spans
  expect(request).toEqual({
    name: 'plasmid run',
    options: {
      kind: 1,
      startTime: 10,
      attributes: {
        'plasmid.request': 'run',
        'session.id': 'session',
        'error.type': 'upstream_error',
        'plasmid.rows': 0,
        'plasmid.calls': 1,
      },
    },
    trace: id,
    parent: id.slice(16),
    id: '0000000000000001',
    failed: true,
    end: 30,
    events: [
      {
        name: 'effect',
        at: 25,
        attributes: {
          'plasmid.catalog': 'shop',
          'plasmid.capability': 'customer_delete',
          'plasmid.effect.state': 'done',
        },
      },
    ],
  })
  expect(api).toEqual({
    name: 'GET',
    options: {
      kind: 2,
      startTime: 15,
      attributes: {
        'http.request.method': 'GET',
        'server.address': 'api.example',
        'server.port': 443,
        'url.scheme': 'https',
        'http.response.status_code': 503,
        'error.type': 'x',
        'http.request.resend_count': 2,
        'http.response.body.size': 9,
        'plasmid.catalog': 'shop',
        'plasmid.capability': 'customer_query',
      },
    },
    trace: id,
    parent: '0000000000000001',
    id: '0000000000000002',
    failed: true,
    end: 20,
    events: [],
  })
})
