import { z } from 'zod'

const count = z.int().min(0)
const texts = z.array(z.string()).readonly()

const relation = z.object({
  kind: z.enum(['overlaps', 'forked_from', 'same_conversation']),
  logical_session_ref: z.string(),
  shared: texts.describe('api:Entity: what both sessions expose'),
})
const continuity = z.object({
  stale_binding_recovered: z.boolean(),
  new_symbol_space: z.boolean(),
  discard_cached_plasm_symbols: z.literal(true).optional(),
  previous_execute: z.object({ prompt_hash: z.string(), session_id: z.string() }).optional(),
})
const omission = z.object({
  truncated: z.boolean(),
  shown: count,
  omitted: count,
  top_omitted: z.array(z.object({ api: z.string(), entity: z.string() })).readonly(),
})
const step = z.object({
  return_label: z.string(),
  row_count: count,
  partial: z.string().optional(),
  rows_searched: count.optional(),
  artifact_uri: z.string().optional(),
})
const page = z.object({
  return_label: z.string(),
  has_more: z.literal(true),
  count,
  next_page_handle: z.string(),
})
/** `_meta` of an answer. */
export const meta = z
  .object({
    plasm: z.object({
      logical_session_ref: z.string().optional(),
      continuity: continuity.optional().describe('Of a context'),
      domain_revision: count.optional().describe('Of a context'),
      relations: z.array(relation).readonly().optional().describe('Of a new context'),
      discovery: omission.optional().describe('Of a discovery that left rows out'),
      dry_run: z.literal(true).optional().describe('Of a plan'),
      plan: z.string().optional().describe('Of a plan'),
      steps: z.array(step).readonly().optional().describe('Of a run: one for each root'),
      paging: z.array(page).readonly().optional().describe('Of a run'),
    }),
  })
  .meta({ id: 'Meta', description: 'What hosts read beside the text, as `_meta` of the MCP tools' })
