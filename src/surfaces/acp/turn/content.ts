import type { ContentBlock } from '@agentclientprotocol/sdk'
import { utf8Bytes } from '../../../base/canonical.ts'
import { failed, ok, type Result } from '../../../base/diagnostic.ts'
import { acpProblem } from '../problems.ts'

/** The longest prompt, in bytes of JSON. */
const MAX_BYTES = 1024 * 1024

/** A prompt, as it is kept and as it is read. */
export interface Prompt {
  readonly blocks: readonly ContentBlock[]
  /** What its author wrote. */
  readonly text: string
  /** The texts of embedded resources. */
  readonly embedded: string
  /** What the client added to the request. */
  readonly meta: { readonly [key: string]: unknown } | undefined
}

/** Reads a prompt. Gives `prompt_too_long`, `content_unsupported` or `prompt_empty`. */
export function readPrompt(blocks: readonly ContentBlock[], meta: Prompt['meta']): Result<Prompt> {
  const actual = utf8Bytes(JSON.stringify([blocks, meta]))
  if (actual > MAX_BYTES) return failed([acpProblem('prompt_too_long', { most: MAX_BYTES, actual })])
  const foreign = blocks.find(({ type }) => type === 'image' || type === 'audio')
  if (foreign) return failed([acpProblem('content_unsupported', { type: foreign.type })])
  if (blocks.length === 0) return failed([acpProblem('prompt_empty', {})])
  const text = blocks.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('')
  const embedded = blocks.flatMap((one) =>
    one.type === 'resource' && 'text' in one.resource ? [one.resource.text] : [],
  )
  return ok({ blocks, text: text.trim(), embedded: embedded.join('\n'), meta })
}
