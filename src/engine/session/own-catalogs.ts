import type { Caller } from '../../access/caller.ts'
import { once } from '../../base/once.ts'
import { type CatalogSource, joined } from '../../catalog/source.ts'
import { readIntent, readRef } from '../../session/identity.ts'
import type { Gateway, OwnCatalogs } from '../contract.ts'
import type { Models } from '../memory/models.ts'
import type { Parts } from '../parts.ts'
import { principalKeyOfRef } from './principal.ts'

/** A request, as far as it names a session. */
interface Asked {
  readonly name: keyof Gateway
  readonly input: unknown
}

/** The catalogs of a deployment, and with them those that one session carries. */
export class SessionCatalogs {
  readonly #parts: Pick<Parts, 'catalogs' | 'store' | 'secrets'>
  readonly #models: Pick<Models, 'addressesOf'>
  /** Of the deployment's and a session's own of the same id, the deployment's is served: a client replaces none. */
  readonly #joined = once((own: CatalogSource) => joined(this.#parts.catalogs, own))

  constructor(parts: Pick<Parts, 'catalogs' | 'store' | 'secrets'>, models: Pick<Models, 'addressesOf'>) {
    this.#parts = parts
    this.#models = models
  }

  /**
   * What one call sees. A session's own catalogs are seen by calls that name this session, and by those that name none,
   * such as a discovery for it.
   */
  async of(caller: Caller, own: OwnCatalogs | undefined, asked: Asked): Promise<CatalogSource> {
    if (!own) return this.#parts.catalogs
    const isOwn = (await this.#names(caller, own.intent, asked)) !== false
    return isOwn ? this.#joined(own.catalogs) : this.#parts.catalogs
  }

  /** Does the input name the session of this intent? Undefined where it names none. */
  async #names(caller: Caller, intent: string, { name, input }: Asked): Promise<boolean | undefined> {
    const ref = textIn(input, 'logical_session_ref')
    if (ref === undefined) {
      // The intent of a discovery is the text to search for.
      const named = name === 'context' ? textIn(input, 'intent') : undefined
      return named === undefined ? undefined : sameIntent(named, intent)
    }
    const read = readRef(ref)
    if (!read) return false
    const { store, secrets } = this.#parts
    const { record } = await store.findByRef(principalKeyOfRef(caller, read), read)
    return (
      record !== null &&
      this.#models.addressesOf(secrets, caller.tenantScope, intent).includes(record.address)
    )
  }
}

function sameIntent(one: string, other: string): boolean {
  const [read, own] = [readIntent(one), readIntent(other)]
  return 'intent' in read && 'intent' in own && read.intent === own.intent
}

function textIn(input: unknown, name: string): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const held: unknown = Object.getOwnPropertyDescriptor(input, name)?.value
  return typeof held === 'string' ? held : undefined
}
