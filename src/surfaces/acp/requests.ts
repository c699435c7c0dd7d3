import { z } from 'zod'
import { objection } from '../../base/objection.ts'
import { acpProblem, requestError } from './problems.ts'

/*
 * The parameters of requests, as far as this agent reads them. The SDK replaces some wrong fields by defaults and reports
 * others as a tree; a user of an editor sees one sentence.
 */

const meta = z.record(z.string(), z.unknown()).nullish()
/** ACP reads null as an empty list. */
const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullable()
    .transform((items) => items ?? [])
const pairs = list(z.object({ name: z.string(), value: z.string() }))

const remote = { name: z.string(), url: z.string(), headers: pairs }
const httpServer = z.object({ type: z.literal('http'), ...remote })
const sseServer = z.object({ type: z.literal('sse'), ...remote })
const stdioServer = z.object({
  // Absent in this version of the protocol; the next one writes it.
  type: z.literal('stdio').optional(),
  name: z.string(),
  command: z.string(),
  args: list(z.string()),
  env: pairs,
})
const server = z.looseObject({ type: z.string().optional() }).transform((given, context) => {
  const isStdio = given.type === undefined || given.type === 'stdio'
  const read = (isStdio ? stdioServer : z.discriminatedUnion('type', [httpServer, sseServer])).safeParse(
    given,
  )
  if (read.success) return read.data
  for (const issue of read.error.issues)
    context.addIssue({ ...issue, code: 'custom', message: objection(issue) })
  return z.NEVER
})

const sessionId = z.string()
const roots = { cwd: z.string(), additionalDirectories: list(z.string()).optional(), _meta: meta }

export const newParams = z.object({ ...roots, mcpServers: list(server) })
export const loadParams = z.object({ sessionId, ...roots, mcpServers: list(server) })
export const resumeParams = z.object({ sessionId, ...roots, mcpServers: list(server).optional() })
export const listParams = z
  .object({ cwd: z.string().nullish(), cursor: z.string().nullish() })
  .nullish()
  .transform((given) => given ?? {})
export const sessionParams = z.object({ sessionId })
export const optionParams = z.object({ sessionId, configId: z.string(), value: z.unknown() })

export type NewParams = z.infer<typeof newParams>
export type ResumeParams = z.infer<typeof resumeParams>
export type ListParams = z.infer<typeof listParams>
/** A server of a client, of any kind that the protocol knows. */
export type GivenServer = z.infer<typeof stdioServer> | z.infer<typeof httpServer> | z.infer<typeof sseServer>
/** A server of a kind that this agent announced. */
export type SupportedServer = z.infer<typeof stdioServer> | z.infer<typeof httpServer>

/** A parser for the SDK: the parameters, or an error with one sentence. */
export function reading<T>(schema: z.ZodType<T>): (params: unknown) => T {
  return (params) => {
    const read = schema.safeParse(params ?? {})
    if (read.success) return read.data
    const wrong = read.error.issues.slice(0, 5).map((issue) => {
      const field = issue.path.map(String).join('.')
      return `\`${field === '' ? 'params' : field}\` ${objection(issue)}`
    })
    throw requestError(acpProblem('invalid_params', { wrong: wrong.join('; ') }))
  }
}
