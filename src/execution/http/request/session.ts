import { sha256 } from '../../../base/hash.ts'

/**
 * Variables that identify the session, from which templates make idempotency keys. Both are hashes that only this catalog
 * receives: they distinguish its sessions and cannot be used to address our API.
 */
export function sessionVariables(session: string, catalog: string): ReadonlyMap<string, string> {
  const hashed = (what: string) => sha256(`${what}\n${catalog}\n${session}`).slice(0, 32)
  return new Map([
    ['plasm_execute_prompt_hash', hashed('prompt')],
    ['plasm_execute_session_id', hashed('session')],
  ])
}
