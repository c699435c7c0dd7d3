import type { Clock } from '../../../base/clock.ts'
import type { Functions } from './functions.ts'
import type { Keys, PrincipalTag } from './keys.ts'
import type { Link } from './link.ts'
import { stamp, texts } from './reply.ts'

/** How long a commit waits for a replica's acknowledgement. Without one, only the primary holds the commit. */
const REPLICA_MS = 100

export type Outcome =
  | { readonly ordinal: number }
  /** The current session, in the form of `find`. */
  | { readonly conflict: readonly (string | null)[] }
  /** The principal has no name for the session, and the commit gave none. */
  | 'unnamed'

/** Commits on their own connection: waiting for replicas would block later commands on a shared one. */
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

  /** May run twice: a commit that was already applied succeeds by its id. */
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
