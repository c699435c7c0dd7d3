import { AggregatorRegistry, collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'
import type { Emit, Event } from '../../base/event.ts'
import { isServerFailure } from './server-failures.ts'

/** How the workers of one server read each other's metrics, as JSON texts. */
export interface Peers {
  readonly shareMetrics: (read: () => Promise<string>) => void
  readonly metricsOfOthers: () => Promise<readonly string[]>
}

export interface Metrics {
  readonly emit: Emit
  /** All metrics in the Prometheus text format. */
  readonly text: () => Promise<string>
  readonly contentType: string
}

const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60]

/**
 * Counts events. Labels contain names of requests, catalogs and codes, never a session, a principal or a tenant.
 *
 * @param peers the other workers, if there are several: readings are summed over all
 * @param flush delivers buffered events: called before a reading
 */
export function openMetrics(flush: () => void, peers?: Peers): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'plasmid_requests_total',
    help: 'Requests that ended: ok, refused by the engine, or failed by our own fault',
    labelNames: ['request', 'outcome'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'plasmid_request_duration_seconds',
    help: 'How long requests took',
    labelNames: ['request'],
    buckets: SECONDS,
    registers,
  })
  const problems = new Counter({
    name: 'plasmid_problems_total',
    help: 'Problems that answers stated, by code',
    labelNames: ['code'],
    registers,
  })
  const calls = new Counter({
    name: 'plasmid_api_calls_total',
    help: 'Calls to APIs that ended, by the class of the status (none: no answer)',
    labelNames: ['catalog', 'status'],
    registers,
  })
  const callSeconds = new Histogram({
    name: 'plasmid_api_call_duration_seconds',
    help: 'How long calls to APIs took, retries included',
    labelNames: ['catalog'],
    buckets: SECONDS,
    registers,
  })
  const effects = new Counter({
    name: 'plasmid_effects_total',
    help: 'Changes that runs were to make, by what became of them',
    labelNames: ['catalog', 'state'],
    registers,
  })
  const starts = new Counter({
    name: 'plasmid_mcp_starts_total',
    help: 'Processes of MCP servers that were started, by what they got (session, none, or listing: they serve no call)',
    labelNames: ['server', 'context', 'sandbox'],
    registers,
  })
  // Looking a label up costs more than counting, so the results are cached. There are few requests and outcomes.
  const counted = new Map<string, ReturnType<typeof requests.labels>>()
  const timed = new Map<string, ReturnType<typeof requestSeconds.labels>>()
  const countRequest = ({ request, codes, ok, ms }: Event['facts']) => {
    const kind = String(request)
    const outcome = ok === true ? 'ok' : isServerFailure(codes) ? 'failed' : 'refused'
    kept(counted, `${kind} ${outcome}`, () => requests.labels({ request: kind, outcome })).inc()
    kept(timed, kind, () => requestSeconds.labels({ request: kind })).observe(Number(ms) / 1000)
    if (typeof codes === 'string' && codes !== '') for (const code of codes.split(',')) problems.inc({ code })
  }
  let isCollecting = false
  const gather = () => {
    flush()
    // Metrics of the process itself: collected only when read.
    if (!isCollecting) collectDefaultMetrics({ register: registry, prefix: 'plasmid_' })
    isCollecting = true
    return registry
  }
  peers?.shareMetrics(async () => JSON.stringify(await gather().getMetricsAsJSON()))
  return {
    contentType: registry.contentType,
    emit: ({ name, facts }) => {
      if (name === 'request') return countRequest(facts)
      const { catalog, status, state, ms } = textsOf(facts)
      if (name === 'effect') return effects.inc({ catalog, state })
      if (name === 'mcp_started') return starts.inc(startOf(facts))
      if (name !== 'api_call') return undefined
      calls.inc({ catalog, status: status === '0' ? 'none' : `${status.slice(0, 1)}xx` })
      return callSeconds.observe({ catalog }, Number(ms) / 1000)
    },
    text: async () => {
      if (!peers) return gather().metrics()
      const [own, others] = await Promise.all([gather().getMetricsAsJSON(), peers.metricsOfOthers()])
      const all: object[] = [own, ...others.map((text): object => JSON.parse(text))]
      return AggregatorRegistry.aggregate(all).metrics()
    },
  }
}

function kept<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

function startOf({ server, session, listing, sandbox }: Event['facts']) {
  const context = listing === true ? 'listing' : session === '' ? 'none' : 'session'
  return { server: String(server), context, sandbox: sandbox === true ? 'yes' : 'no' }
}

type Named = Record<'catalog' | 'status' | 'state' | 'ms', string>

function textsOf(facts: Event['facts']): Named {
  const text = (name: string) => String(facts[name] ?? '')
  return {
    catalog: text('catalog'),
    status: text('status'),
    state: text('state'),
    ms: text('ms'),
  }
}
