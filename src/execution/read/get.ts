import type { Json } from '../../base/canonical.ts'
import type { Problem } from '../../base/diagnostic.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { Invocation } from '../invocation.ts'
import type { Partial } from '../outcome.ts'
import { isRecord, recordOf, walk } from '../../base/json.ts'
import { problem } from '../problems.ts'
import { buildCall } from '../http/request/build.ts'
import { decodeRow } from '../http/response/decode.ts'
import { locateRows } from '../http/response/rows.ts'
import type { Run, ViewRead } from '../run.ts'
import type { LiveRow } from '../row.ts'
import { sendRead } from './upstream.ts'

export type Got =
  | {
      readonly ok: true
      readonly row: LiveRow
      /** What the reader should know of a row that is composed of others. */
      readonly problems?: readonly Problem[]
      readonly partial?: Partial
    }
  | {
      readonly ok: false
      readonly problem: Problem
      readonly problems: readonly Problem[]
      readonly why: 'failed' | 'budget' | 'cancelled'
    }

/** Reads the one row that a get's arguments name. */
export async function getRow(run: Run, invocation: Invocation): Promise<Got> {
  const { catalog, capability } = invocation
  if (capability.view) return composed(await run.view(capability.view, invocation))
  const where = { catalog: catalog.id, capability: capability.name }
  const built = buildCall(invocation, run.world.sessionId)
  if (!built.ok) return none(built.problems)
  const sent = await sendRead(run, built.value, capability)
  if (!sent.ok) return { ...none([sent.problem]), why: sent.why }
  const entity = indexOf(catalog).entities.get(capability.entity)
  const response = capability.request?.response
  if (!entity || !response) throw new Error(`${capability.name} has no entity or no request`)
  const { body, problems } = await completed(run, invocation, sent.reply.body)
  const located = locateRows(body, response, 'one', invocation.arguments)
  if (!located.ok)
    return none([problem('wrong_shape', { ...where, path: located.path, found: located.found })])
  const [raw, ...others] = located.rows
  if (raw === undefined || raw === null) return none([problem('not_found', { ...where, detail: '' })])
  if (others.length > 0) {
    return none([
      problem('wrong_shape', {
        ...where,
        path: (response.path ?? []).join('.'),
        found: `a list of ${located.rows.length}`,
      }),
    ])
  }
  run.meter.rows(1)
  const decoded = decodeRow(raw, {
    catalog,
    entity,
    ambient: invocation.arguments,
    ...(invocation.identity && { requested: invocation.identity }),
  })
  if ('row' in decoded) return { ok: true, row: decoded.row, problems }
  return none([
    problem('wrong_shape', { ...where, path: (response.path ?? []).join('.'), found: decoded.bad }),
  ])
}

/** The answer with what a second one adds; without it, where the second one cannot be had. */
async function completed(
  run: Run,
  invocation: Invocation,
  body: Json,
): Promise<{ readonly body: Json; readonly problems: readonly Problem[] }> {
  const { capability } = invocation
  const auxiliary = capability.request?.response.auxiliary
  if (!auxiliary || !isRecord(body)) return { body, problems: [] }
  const built = buildCall(invocation, run.world.sessionId, auxiliary.request)
  const sent = built.ok ? await sendRead(run, built.value, capability) : undefined
  if (sent?.ok) {
    const part = walk(sent.reply.body, auxiliary.from)
    const added = part === undefined ? [] : [[auxiliary.into, part] as const]
    return { body: recordOf([...Object.entries(body), ...added]), problems: [] }
  }
  const [found] = built.ok ? [sent?.problem] : built.problems
  const params = {
    entity: capability.entity,
    rows: 1,
    fields: [auxiliary.into],
    reason: found?.message ?? '',
  }
  return { body, problems: [problem('hydration_failed', params)] }
}

function composed(read: ViewRead): Got {
  if (read.ok) return read
  const code = read.problems[0]?.code
  const why = code === 'budget_exhausted' ? 'budget' : code === 'cancelled' ? 'cancelled' : 'failed'
  return { ...none(read.problems), why }
}

function none(problems: readonly Problem[]): Extract<Got, { ok: false }> {
  const [first] = problems
  if (!first) throw new Error('a failure states a problem')
  return { ok: false, problem: first, problems, why: 'failed' }
}
