import type { SharedTexts } from '../access/shared-texts.ts'
import { type Auth, authOf } from '../adapters/auth/setup.ts'
import type { Result } from '../base/diagnostic.ts'
import type { Config } from '../config/read.ts'
import { newId, systemClock } from './system.ts'

/** Configured authentication. Gives the problems of keys, tokens and policy. */
export function authFor(
  config: Config,
  secretOf: (reference: string) => Promise<string>,
  texts: SharedTexts | undefined,
): Promise<Result<Auth>> {
  return authOf(
    { ...config.access, mode: config.auth, dataDir: config.dataDir },
    { clock: systemClock, newId, secretOf, fetchDocument: fetch, texts },
  )
}
