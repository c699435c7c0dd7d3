import type { Caller, Verifier } from '../../engine/index.ts'
import { httpProblem, type HttpProblem } from './problems.ts'

/** A page of ours, or a person who typed the address. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none'])
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * Refuses requests that a page of another site may have made: a `Host` that is not ours (a name that was rebound to our
 * address), an `Origin` that is not, or without an `Origin` a `Sec-Fetch-Site` of another site or port. Only browsers send
 * the last two.
 *
 * @param names the host names that are ours besides loopback's, without ports
 */
export function siteGuard(names: readonly string[]) {
  const ours = new Set([...LOOPBACK, ...names.map((name) => name.toLowerCase())])
  // Parsing a URL costs more than the rest of the guard, and nearly every request names the same host.
  let lastHost: string | undefined
  return (
    host: string | undefined,
    origin: string | undefined,
    site: string | undefined,
  ): HttpProblem | undefined => {
    if (host !== undefined && host === lastHost && origin === undefined && site === undefined)
      return undefined
    const hostname = hostnameOf(`http://${host ?? ''}`)
    if (hostname === undefined || !ours.has(hostname))
      return httpProblem('forbidden_host', { host: host ?? '' })
    lastHost = host
    if (origin === undefined || origin === '')
      return site === undefined || OWN_SITES.has(site) ? undefined : httpProblem('forbidden_site', {})
    const page = hostnameOf(origin)
    return page !== undefined && ours.has(page) ? undefined : httpProblem('forbidden_origin', { origin })
  }
}

/** Nothing for what is no URL of a host: `null`, a path, a name and a password. */
function hostnameOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { hostname, username, password, pathname, search, hash } = new URL(url)
  const isBare =
    username === '' &&
    password === '' &&
    (pathname === '/' || pathname === '') &&
    search === '' &&
    hash === ''
  return isBare && hostname !== '' ? hostname : undefined
}

/** The caller that an `Authorization` header proves, or null. A header of another form is a credential that does not hold. */
export async function callerOf(
  verifier: Verifier,
  authorization: string | undefined,
): Promise<Caller | null> {
  if (authorization === undefined) return verifier.verify(undefined)
  return verifier.verify(/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '')
}
