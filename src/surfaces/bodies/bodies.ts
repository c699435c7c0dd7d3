import { z } from 'zod'
import type {
  ContextFacts,
  DiscoverFacts,
  PlanFacts,
  RegistryFacts,
  Reply,
  RunFacts,
  SessionFacts,
} from '../../engine/index.ts'
import { meta } from './meta.ts'
import { toEffect } from './refusal.ts'
import { effect, problemDetail } from './refusal-schema.ts'

/*
 * The bodies of answers, for HTTP and for `--json` of the command line: a schema for the OpenAPI document, and a function that
 * makes the body from the engine's facts. The function's type is the schema's, so the two cannot drift apart.
 */

/** A reply that is not a refusal. */
export type Answered<Facts> = Extract<Reply<Facts>, { readonly ok: true }>

const text = z.string().describe('The text of the MCP tools, byte for byte')
const texts = z.array(z.string()).readonly()
const count = z.int().min(0)

export const contextBody = z
  .object({
    text,
    reused: z.boolean(),
    prompt_hash: z.string(),
    session: z.string(),
    _meta: meta,
  })
  .meta({ id: 'Context' })

export function toContextBody({
  text: given,
  meta: plasm,
  facts,
}: Answered<ContextFacts>): z.output<typeof contextBody> {
  return {
    text: given,
    reused: facts.reused,
    prompt_hash: facts.promptHash,
    session: facts.session,
    _meta: { plasm },
  }
}

export const sessionBody = z
  .object({
    logical_session_ref: z.string(),
    long_ref: z.string(),
    alive: z.boolean(),
    prompt_hash: z.string(),
    session: z.string(),
    domain_revision: count,
    intent: z.string().optional(),
    entities: z.array(
      z.object({ symbol: z.string(), api: z.string(), entity: z.string(), live: z.boolean() }),
    ),
  })
  .meta({ id: 'Session' })

export function toSessionBody(facts: SessionFacts): z.output<typeof sessionBody> {
  return {
    logical_session_ref: facts.logicalSessionRef,
    long_ref: facts.longRef,
    alive: facts.alive,
    prompt_hash: facts.promptHash,
    session: facts.session,
    domain_revision: facts.revision,
    ...(facts.intent !== undefined && { intent: facts.intent }),
    entities: facts.entities.map((entity) => ({ ...entity })),
  }
}

export const sessionsBody = z.object({ sessions: z.array(sessionBody) }).meta({ id: 'Sessions' })

export function toSessionsBody(facts: {
  readonly sessions: readonly SessionFacts[]
}): z.output<typeof sessionsBody> {
  return { sessions: facts.sessions.map(toSessionBody) }
}

export const discoverBody = z
  .object({
    text,
    rows: z.array(
      z.object({
        api: z.string(),
        entity: z.string(),
        fit: z.enum(['strong', 'likely', 'weak']),
        description: z.string(),
        also: texts.describe('Other catalogs whose entity of this name fits as well'),
      }),
    ),
    truncated: z.boolean(),
    _meta: meta,
  })
  .meta({ id: 'Discovery' })

export function toDiscoverBody({
  text: given,
  meta: plasm,
  facts,
}: Answered<DiscoverFacts>): z.output<typeof discoverBody> {
  return {
    text: given,
    rows: facts.rows.map((row) => ({ ...row })),
    truncated: facts.truncated,
    _meta: { plasm },
  }
}

export const planBody = z
  .object({
    text,
    plan: z.string().describe('The `plan` for a run of this program'),
    graph: z
      .looseObject({ version: z.int(), digest: z.string() })
      .meta({ id: 'Graph', description: 'The checked program as a graph' }),
    _meta: meta,
  })
  .meta({ id: 'Plan' })

export function toPlanBody({
  text: given,
  meta: plasm,
  facts,
}: Answered<PlanFacts>): z.output<typeof planBody> {
  return {
    text: given,
    plan: facts.planRef,
    graph: { ...facts.plan },
    _meta: { plasm },
  }
}

const result = z
  .object({
    label: z.string(),
    api: z.string().optional(),
    entity: z.string().optional(),
    columns: texts,
    rows: z.array(z.record(z.string(), z.unknown())),
    partial: z.string().optional().describe('Why rows are missing'),
    next_page: z.string().optional().describe('For GET /v1/pages/{handle}'),
    snapshot: z.string().optional(),
  })
  .meta({ id: 'Result' })

export const runBody = z
  .object({
    text,
    logical_session_ref: z.string(),
    results: z.array(result),
    effects: z.array(effect),
    problems: z.array(problemDetail).readonly().describe('Problems beside the results; may be empty'),
    usage: z.object({ calls: count, rows: count, bytes: count, milliseconds: z.number() }),
    _meta: meta,
  })
  .meta({ id: 'Run' })

export function toRunBody({ text: given, meta: plasm, facts }: Answered<RunFacts>): z.output<typeof runBody> {
  return {
    text: given,
    logical_session_ref: facts.logicalSessionRef,
    results: facts.results.map(toResult),
    effects: facts.effects.map(toEffect),
    problems: facts.problems,
    usage: { ...facts.usage },
    _meta: { plasm },
  }
}

export function toResult(root: RunFacts['results'][number]): z.output<typeof result> {
  return {
    label: root.label,
    ...(root.entity !== undefined && { api: root.entity.catalog, entity: root.entity.entity }),
    columns: root.columns,
    rows: root.rows.map((row) => row.values),
    ...(root.partial !== undefined && { partial: root.partial }),
    ...(root.nextPage !== undefined && { next_page: root.nextPage }),
    ...(root.snapshot !== undefined && { snapshot: root.snapshot }),
  }
}

export const registryBody = z
  .object({
    entries: z.array(
      z.object({
        entry_id: z.string(),
        description: z.string().optional(),
        aliases: texts,
        catalog_cgs_hash: z.string(),
        entities: count,
        capabilities: count,
      }),
    ),
  })
  .meta({ id: 'Registry' })

export function toRegistryBody(facts: RegistryFacts): z.output<typeof registryBody> {
  return { entries: facts.entries.map((entry) => ({ ...entry })) }
}

export const snapshotBody = z
  .object({ uri: z.string(), results: z.array(z.unknown()) })
  .meta({ id: 'Snapshot' })
export const healthBody = z.object({ status: z.literal('ok') })
export const readyBody = z.object({ status: z.literal('ready') })
