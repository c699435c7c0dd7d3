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

/** What the request for a person's word is called in the exchange with the client. */
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

/** What a person said to what they were asked. */
export type Word =
  | { readonly kind: 'not_asked' }
  | { readonly kind: 'refused' }
  /** With the code that we gave the client to keep. */
  | { readonly kind: 'agreed'; readonly code: string | undefined }

/**
 * Reads a person's word from what the client sends beside a call's arguments, which are all that a model writes. It stands
 * there in both eras: the SDK itself asks a client of 2025 and puts the answer in the same place.
 */
export function wordIn({ mcpReq }: ServerContext): Word {
  const said = inputResponse(mcpReq.inputResponses, ASKED)
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
 * Can the client put a form before a person? Each request of 2026 says so itself; of 2025 the connection did, if it lasts.
 * Who names no kind of elicitation has forms alone.
 */
export function canAsk({ mcpReq }: ServerContext, ofConnection: ClientCapabilities | undefined): boolean {
  const own = declared.safeParse(mcpReq.envelope)
  const { elicitation } = own.success ? own.data[CLIENT_CAPABILITIES_META_KEY] : (ofConnection ?? {})
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** Asks the client for its person's word; the code comes back beside it and proves what was shown. */
export function askFor({ review, code }: Confirmation): InputRequiredResult {
  const question = inputRequired.elicit({ message: review, requestedSchema: FORM })
  return inputRequired({ inputRequests: { [ASKED]: question }, requestState: code })
}
