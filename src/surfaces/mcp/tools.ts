import { z } from 'zod'
import { contextInput, discoverInput, GRAMMAR, planInput, runInput } from '../../engine/index.ts'

/** The tools in the order of the list. */
export type ToolName = 'plasm_context' | 'discover_capabilities' | 'plasm' | 'plasm_run'

interface Tool {
  readonly name: ToolName
  readonly title: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown }
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint?: boolean
    readonly idempotentHint?: boolean
    readonly openWorldHint: boolean
  }
}

const CONTEXT = `Open or extend a session: returns the entities you pick, once, as a TSV table of symbols for \`plasm\` programs. One goal = one \`intent\`: a short sentence, unchanged even across several APIs. Pick \`seeds\` ({api, entity}) from discover_capabilities, for all APIs in one call. The answer begins with the session's ref (\`s0\`). Then use \`plasm\` with that ref; call this again only for new entities or a new goal. If an answer names a symbol you have not seen, call again with \`have\` = the last \`e#\` whose rows you have, or "none". Sessions expire after 1 h idle; within 30 days the same intent continues them.`

const DISCOVER = `Find the APIs and entities that fit a goal, in one call: \`intent\` describes the whole task in a sentence. Returns rows of api, entity, description to pick \`seeds\` from. Skip it if you know them.`

const PLAN = `Check a program and show its plan; calls no API. If it writes, the answer has a plan ref (\`pc1\`) for plasm_run, valid 10 minutes.
${GRAMMAR}`

const RUN = `Run a program. Reads run at once; a program that writes needs \`plan\` from \`plasm\` and runs once. Large results are shortened to the first rows, the true count, a handle for \`page(s0_pg1)\` and a plasm:// link to all rows for resources/read (not a program expression).`

/** The whole of `tools/list`: the same bytes for every client. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'plasm_context',
    title: 'Open or extend Plasm context',
    description: CONTEXT,
    inputSchema: jsonSchema(contextInput),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  },
  {
    name: 'discover_capabilities',
    title: 'Resolve intent to capabilities',
    description: DISCOVER,
    inputSchema: jsonSchema(discoverInput),
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
  {
    name: 'plasm',
    title: 'Plan Plasm (dry run)',
    description: PLAN,
    inputSchema: jsonSchema(planInput),
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
  {
    name: 'plasm_run',
    title: 'Run Plasm (execute)',
    description: RUN,
    inputSchema: jsonSchema(runInput),
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
]

/** For hosts that show it; the tools' own descriptions contain everything that it says. */
export const INSTRUCTIONS =
  'Per goal: discover_capabilities (optional), then plasm_context once with a stable intent, then plasm and plasm_run with its logical_session_ref.'

/** The JSON Schema of an input, without the keywords that every client assumes. */
function jsonSchema(schema: z.ZodType): Tool['inputSchema'] {
  const { $schema: _, type: _type, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return { type: 'object', ...rest }
}
