import type { Clock } from '../../../base/clock.ts'
import type { Functions } from './functions.ts'
import type { Keys, PrincipalTag } from './keys.ts'
import type { Link } from './link.ts'
import { stamp, texts } from './reply.ts'

/** How long a commit waits for one replica to have it. Without one in that time it counts as the primary's word alone. */
const REPLICA_MS = 100

export type Outcome =
  | { readonly ordinal: number }
  /** The session as it is, as `find` shows it. */
  | { readonly conflict: readonly (string | null)[] }
  /** The principal has no name for the session, and the commit brought none. */
  | 'unnamed'

/** Commits, on a connection of their own: waiting for replicas holds up whatever comes after it on the same one. */
export class Commits {
  readonly #link: Link
  readonly #functions: Functions
  readonly #keys: Keys
  readonly #clock: Clock | undefined

  constructor(link: Link, functions: Functions, keys: Keys, clock: Clock | undefined) {
    this.#link = link
    this.#functions = functions
    this.#keys = keys
    this.#clock = clock
  }

  /** May be done twice: a commit that was applied before succeeds by its own id. */
  async commit(
    address: string,
    principal: PrincipalTag,
    commit: readonly (string | number)[],
    name: string,
  ): Promise<Outcome> {
    const args = [stamp(this.#clock), principal, ...commit, name]
    const [status, ...rest] = texts(await this.#functions.call('commit', [this.#keys.session(address)], args))
    if (status === 'conflict') return { conflict: rest }
    if (status !== 'done') return 'unnamed'
    const [ordinal, replicas] = rest
    if (Number(replicas) > 0) await this.#link.send(['WAIT', 1, REPLICA_MS])
    return { ordinal: Number(ordinal) }
  }
}
