import { z } from 'zod'

const texts = z.array(z.string()).readonly()
const offset = z.int().min(0)
const span = z.object({ start: offset, end: offset })

/** One problem, with its place. */
export const problemDetail = z
  .object({
    code: z.string().describe('Stable: programs may branch on it'),
    message: z.string().describe('What happened'),
    next: z.string().describe('What to do next'),
    path: z.string().optional().describe('The argument: `seeds[0].entity`'),
    span: span.optional().describe('The place in the program, in UTF-16 code units'),
    file: z.string().optional(),
    line: z.int().min(1).optional(),
    about: texts.optional().describe('The symbols that it concerns'),
    nearest: texts.optional().describe('Valid names, nearest first'),
    fix: z
      .object({ edits: z.array(z.object({ span, text: z.string() })).readonly() })
      .optional()
      .describe('Replacements in the program after which the problem is gone'),
  })
  .meta({ id: 'ProblemDetail' })

/** The outcome of one change. */
export const effect = z
  .object({
    api: z.string(),
    capability: z.string(),
    row: z.int().min(1).describe('Of the loop, from 1'),
    state: z.enum(['done', 'failed', 'unknown', 'not_sent']),
    problem: problemDetail.optional(),
  })
  .meta({ id: 'Effect', description: 'The outcome of one change' })

/** What a refusal says on every surface. */
export const refusalBody = z.object({
  detail: z.string().describe('The text of the MCP tools, byte for byte'),
  code: z.string().describe('The stable code of the first problem'),
  problems: z.array(problemDetail).readonly(),
  confirm: z
    .object({ plan: z.string(), review: z.string(), code: z.string() })
    .optional()
    .describe('What a person must agree to; then send the same request with this `code` as `confirm`'),
  effects: z
    .array(effect)
    .readonly()
    .optional()
    .describe('The outcome of each change of a run without results'),
})

/** The refusal as HTTP has it. */
export const problemBody = z
  .object({ type: z.string(), title: z.string(), status: z.int(), ...refusalBody.shape })
  .meta({ id: 'Problem', description: 'An error (RFC 9457)' })
