import type { Caller, Verifier } from '../../../engine/index.ts'
import { httpProblem, type HttpProblem } from '../problems.ts'

/** A page of ours, or a person who typed the address. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none'])
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * Refuses requests that a page of another site or port may have made: a `Host` that is not ours (a name that was rebound to
 * our address), an `Origin` that is neither this `Host` nor one of our names, or a `Sec-Fetch-Site` of another site or port.
 * Only browsers send the last two.
 *
 * @param names the host names that are ours besides loopback's, without ports; as an `Origin` they may have any port, which a
 *   proxy in front may have changed
 */
export function siteGuard(names: readonly string[]) {
  const ours = new Set([...LOOPBACK, ...names.map((name) => name.toLowerCase())])
  // Parsing a URL costs more than the rest of the guard, and nearly every request names the same host.
  let lastHost: string | undefined
  const isOurs = (origin: string, host: string): boolean => {
    const page = bareUrl(origin)
    // Every program of this machine can serve pages on another port of loopback.
    return (
      page !== undefined && (LOOPBACK.includes(page.hostname) ? page.host === host : ours.has(page.hostname))
    )
  }
  return (
    host: string | undefined,
    origin: string | undefined,
    site: string | undefined,
  ): HttpProblem | undefined => {
    if (host !== undefined && host === lastHost && origin === undefined && site === undefined)
      return undefined
    const asked = bareUrl(`http://${host ?? ''}`)
    if (!asked || !ours.has(asked.hostname)) return httpProblem('forbidden_host', { host: host ?? '' })
    lastHost = host
    if (origin !== undefined && origin !== '' && !isOurs(origin, asked.host))
      return httpProblem('forbidden_origin', { origin })
    return site === undefined || OWN_SITES.has(site) ? undefined : httpProblem('forbidden_site', {})
  }
}

/** Undefined for what is no URL of a host alone: `null`, a path, a name and a password. */
function bareUrl(url: string): URL | undefined {
  if (!URL.canParse(url)) return undefined
  const parsed = new URL(url)
  const { hostname, username, password, pathname, search, hash } = parsed
  const isBare =
    username === '' &&
    password === '' &&
    (pathname === '/' || pathname === '') &&
    search === '' &&
    hash === ''
  return isBare && hostname !== '' ? parsed : undefined
}

/** The caller that an `Authorization` header proves, or null. A header of another form is a credential that does not hold. */
export async function callerOf(
  verifier: Verifier,
  authorization: string | undefined,
): Promise<Caller | null> {
  if (authorization === undefined) return verifier.verify(undefined)
  return verifier.verify(/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '')
}
