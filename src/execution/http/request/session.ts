import { sha256 } from '../../../base/hash.ts'

/**
 * What templates may say about the session that a call belongs to, for keys by which an API knows the same work again.
 * Two hashes that only this catalog gets: they tell its calls apart by session, and name nothing that anybody could ask
 * us for.
 */
export function sessionVariables(session: string, catalog: string): ReadonlyMap<string, string> {
  const told = (what: string) => sha256(`${what}\n${catalog}\n${session}`).slice(0, 32)
  return new Map([
    ['plasm_execute_prompt_hash', told('prompt')],
    ['plasm_execute_session_id', told('session')],
  ])
}
