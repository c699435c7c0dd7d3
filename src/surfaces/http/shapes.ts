import { z } from '@hono/zod-openapi'
import type {
  ContextFacts,
  DiscoverFacts,
  PlanFacts,
  RegistryFacts,
  Reply,
  RunFacts,
  SessionFacts,
} from '../../engine/index.ts'

/*
 * The bodies of answers: a schema for the document, and a function to it from the engine's facts. The schemas' types are
 * the functions', so that the two cannot drift apart.
 */

export type Told<Facts> = Extract<Reply<Facts>, { readonly ok: true }>

const text = z.string().describe('What MCP answers, byte for byte')
const meta = z.object({ plasm: z.record(z.string(), z.unknown()) })

const aProblem = z.looseObject({ code: z.string(), message: z.string(), next: z.string() })

const effects = z.array(
  z.object({
    api: z.string(),
    capability: z.string(),
    row: z.number(),
    state: z.string().describe('done, failed, unknown or not_sent'),
    problem: aProblem.optional(),
  }),
)

export const problemBody = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  code: z.string().describe('Stable: of the first problem'),
  problems: z.array(aProblem),
  confirm: z
    .object({ plan: z.string(), review: z.string(), code: z.string() })
    .optional()
    .describe('What a person has to agree to: the same request runs it with `confirm`: this `code`'),
  effects: effects.optional().describe('What became of the changes of a run of which nothing came'),
})

export const contextBody = z.object({
  text,
  reused: z.boolean(),
  prompt_hash: z.string(),
  session: z.string(),
  _meta: meta,
})

export function toContextBody({
  text: told,
  meta: plasm,
  facts,
}: Told<ContextFacts>): z.output<typeof contextBody> {
  return {
    text: told,
    reused: facts.reused,
    prompt_hash: facts.promptHash,
    session: facts.session,
    _meta: { plasm },
  }
}

export const sessionBody = z.object({
  logical_session_ref: z.string(),
  long_ref: z.string(),
  alive: z.boolean(),
  prompt_hash: z.string(),
  session: z.string(),
  domain_revision: z.number(),
  intent: z.string().optional(),
  entities: z.array(z.object({ symbol: z.string(), api: z.string(), entity: z.string(), live: z.boolean() })),
})

export function toSessionBody(facts: SessionFacts): z.output<typeof sessionBody> {
  return {
    logical_session_ref: facts.logicalSessionRef,
    long_ref: facts.longRef,
    alive: facts.alive,
    prompt_hash: facts.promptHash,
    session: facts.session,
    domain_revision: facts.revision,
    ...(facts.intent === undefined ? {} : { intent: facts.intent }),
    entities: facts.entities.map((entity) => ({ ...entity })),
  }
}

export const sessionsBody = z.object({ sessions: z.array(sessionBody) })

export const discoverBody = z.object({
  text,
  rows: z.array(z.object({ api: z.string(), entity: z.string(), description: z.string() })),
  truncated: z.boolean(),
  _meta: meta,
})

export function toDiscoverBody({
  text: told,
  meta: plasm,
  facts,
}: Told<DiscoverFacts>): z.output<typeof discoverBody> {
  return {
    text: told,
    rows: facts.rows.map((row) => ({ ...row })),
    truncated: facts.truncated,
    _meta: { plasm },
  }
}

export const planBody = z.object({
  text,
  plan: z
    .string()
    .optional()
    .describe('What a run of this program takes as `plan`; absent where it needs none'),
  graph: z
    .looseObject({ version: z.literal(1), digest: z.string() })
    .describe('The checked program as a graph'),
  _meta: meta,
})

export function toPlanBody({ text: told, meta: plasm, facts }: Told<PlanFacts>): z.output<typeof planBody> {
  return {
    text: told,
    ...(facts.planRef === undefined ? {} : { plan: facts.planRef }),
    graph: { ...facts.plan },
    _meta: { plasm },
  }
}

const result = z.object({
  label: z.string(),
  api: z.string().optional(),
  entity: z.string().optional(),
  columns: z.array(z.string()),
  rows: z.array(z.record(z.string(), z.unknown())),
  partial: z.string().optional().describe('Why these are not all rows'),
  next_page: z.string().optional().describe('For GET /v1/pages/{handle}'),
  snapshot: z.string().optional(),
})

export const runBody = z.object({
  text,
  logical_session_ref: z.string(),
  results: z.array(result),
  effects,
  problems: z.array(aProblem).describe('What went wrong beside the results; empty where nothing did'),
  usage: z.object({ calls: z.number(), rows: z.number(), bytes: z.number(), milliseconds: z.number() }),
  _meta: meta,
})

export function toRunBody({ text: told, meta: plasm, facts }: Told<RunFacts>): z.output<typeof runBody> {
  return {
    text: told,
    logical_session_ref: facts.logicalSessionRef,
    results: facts.results.map(toResult),
    effects: facts.effects.map(toEffect),
    problems: facts.problems.map((problem) => ({ ...problem })),
    usage: { ...facts.usage },
    _meta: { plasm },
  }
}

/** What became of one change. */
export function toEffect({
  catalog,
  capability,
  row,
  state,
  problem,
}: RunFacts['effects'][number]): z.output<typeof effects>[number] {
  return { api: catalog, capability, row, state, ...(problem && { problem: { ...problem } }) }
}

function toResult(root: RunFacts['results'][number]): z.output<typeof result> {
  return {
    label: root.label,
    ...(root.entity === undefined ? {} : { api: root.entity.catalog, entity: root.entity.entity }),
    columns: [...root.columns],
    rows: root.rows.map((row) => row.values),
    ...(root.partial === undefined ? {} : { partial: root.partial }),
    ...(root.nextPage === undefined ? {} : { next_page: root.nextPage }),
    ...(root.snapshot === undefined ? {} : { snapshot: root.snapshot }),
  }
}

/**
 * One row a line: `{"label", "row"}`. A result that is not whole is followed by a line that says so: `{"label",
 * "partial", "next_page"}`; what went wrong stands at the end: `{"problem"}`.
 */
export function toLines({ facts }: Told<RunFacts>): string {
  const lines = facts.results.flatMap((root) => {
    const { label, rows, partial, next_page } = toResult(root)
    const rest = partial === undefined && next_page === undefined ? [] : [{ label, partial, next_page }]
    return [...rows.map((row) => ({ label, row })), ...rest]
  })
  const problems = facts.problems.map((problem) => ({ problem }))
  return [...lines, ...problems].map((line) => `${JSON.stringify(line)}\n`).join('')
}

export const registryBody = z.object({
  entries: z.array(
    z.object({
      entry_id: z.string(),
      description: z.string().optional(),
      aliases: z.array(z.string()),
      catalog_cgs_hash: z.string(),
      entities: z.number(),
      capabilities: z.number(),
    }),
  ),
})

export function toRegistryBody(facts: RegistryFacts): z.output<typeof registryBody> {
  return { entries: facts.entries.map((entry) => ({ ...entry, aliases: [...entry.aliases] })) }
}

export const snapshotBody = z.object({ uri: z.string(), results: z.array(z.unknown()) })
export const healthBody = z.object({ status: z.literal('ok') })
