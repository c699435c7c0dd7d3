import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Confirmation } from '../../engine/index.ts'

/** The key of the confirmation in the exchange with the client. */
const ASKED = 'agree'

const FORM = {
  type: 'object' as const,
  properties: {
    agree: {
      type: 'boolean' as const,
      title: 'Run this plan',
      description: 'It changes data, and runs once',
    },
  },
  required: ['agree'],
}

/** A person's answer to a confirmation. */
export type Word =
  | { readonly kind: 'not_asked' }
  | { readonly kind: 'refused' }
  /** With the code that the client returns. */
  | { readonly kind: 'agreed'; readonly code: string | undefined }

/**
 * Reads a person's answer from the part of a request that the client writes, beside the arguments that a model writes. Both
 * eras have it in the same place: the SDK itself asks a client of 2025 and puts the answer there.
 */
export function wordIn({ mcpReq }: ServerContext): Word {
  const { inputResponses } = mcpReq
  // The SDK also finds what a key `__proto__` of the client's object makes it inherit.
  if (!inputResponses || !Object.hasOwn(inputResponses, ASKED)) return { kind: 'not_asked' }
  const said = inputResponse(inputResponses, ASKED)
  if (said.kind === 'missing') return { kind: 'not_asked' }
  const isAgreed = said.kind === 'elicit' && said.action === 'accept' && said.content?.['agree'] === true
  return isAgreed ? { kind: 'agreed', code: mcpReq.requestState<string>() } : { kind: 'refused' }
}

const declared = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({
    elicitation: z.object({ form: z.unknown(), url: z.unknown() }).partial().optional(),
  }),
})

/**
 * Can the client show a form to a person? Each request of 2026 states it; in 2025 a stateful connection did. A client that
 * names no kind of elicitation supports forms only.
 */
export function canAsk({ mcpReq }: ServerContext, ofConnection: ClientCapabilities | undefined): boolean {
  const own = declared.safeParse(mcpReq.envelope)
  const { elicitation } = own.success ? own.data[CLIENT_CAPABILITIES_META_KEY] : (ofConnection ?? {})
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** Asks the client for a person's answer; the code is returned with it and proves what was shown. */
export function askFor({ review, code }: Confirmation): InputRequiredResult {
  const question = inputRequired.elicit({ message: review, requestedSchema: FORM })
  return inputRequired({ inputRequests: { [ASKED]: question }, requestState: code })
}
