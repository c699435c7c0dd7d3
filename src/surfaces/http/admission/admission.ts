import type { Rate } from '../../../base/token-bucket.ts'
import { type Announced, announcedText, type Caller, type Verifier } from '../../../engine/index.ts'
import { callerOf, siteGuard } from './guard.ts'
import { RequestRates, type Standing } from './request-rates.ts'
import type { HttpProblem } from '../problems.ts'

/** How callers prove who they are, where they may come from, and how often each may call. */
export interface AdmissionParts {
  readonly verifier: Verifier
  /** Host names that are ours besides loopback's. */
  readonly hosts: readonly string[]
  /** How often each principal may call; absent: no limit. */
  readonly requestRate?: Rate
  /** The header in which a client may announce its workspace; absent: none is read. */
  readonly workspaceHeader?: string
}

/** A header of a request by its name in lower case. */
export type HeaderOf = (name: string) => string | undefined

/** Which requests are served: the same for every way in, so that no way is an easier one. */
export interface Admission {
  /** The refusal of a request that a page of another site may have made. */
  readonly foreign: (host: string | undefined, header: HeaderOf) => HttpProblem | undefined
  /** The caller that the credential proves, or null. */
  readonly caller: (header: HeaderOf) => Promise<Caller | null>
  /** Counts requests of the caller, or refuses them. */
  readonly count: (caller: Caller, requests: number) => Standing
  /** What the client announces in the header that the operator chose. */
  readonly announced: (header: HeaderOf) => Announced
}

const UNLIMITED: Standing = { headers: {} }

export function admission({ verifier, hosts, requestRate, workspaceHeader }: AdmissionParts): Admission {
  const guard = siteGuard(hosts)
  const rates = requestRate && new RequestRates(requestRate, () => performance.now())
  return {
    foreign: (host, header) => guard(host, header('origin'), header('sec-fetch-site')),
    caller: (header) => callerOf(verifier, header('authorization')),
    count: ({ principal }, requests) => rates?.count(principal, requests) ?? UNLIMITED,
    announced: (header) => {
      const sent = workspaceHeader === undefined ? undefined : announcedText(header(workspaceHeader))
      // The bytes of a header are UTF-8.
      return sent === undefined ? {} : { workspace: Buffer.from(sent, 'latin1').toString('utf8') }
    },
  }
}
