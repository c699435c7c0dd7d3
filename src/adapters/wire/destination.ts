import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { ServedCatalog } from '../../catalog/model.ts'
import type { WireCall } from '../../execution/wire.ts'
import { isLocalhost, isPrivate, literalAddress, type Reach } from './addresses.ts'
import { wireProblem, type WireProblem } from './problems.ts'

/** Where a call goes, and which addresses it may connect to. */
export interface Destination {
  readonly url: URL
  readonly reach: Reach
}

export type AllowPrivate = (catalogId: string, origin: string) => boolean

/** Determines where a call goes, or why it may not go there. Nothing has been resolved or sent by then. */
export function destinationOf(call: WireCall, allowPrivate: AllowPrivate): Result<Destination, WireProblem> {
  const { catalog, target } = call
  const written = 'url' in target ? target.url : joined(catalog.origin, target.path)
  const url = parseUrl(written)
  if (!url)
    return failed([wireProblem('invalid_request', { catalog: catalog.id, detail: 'its address is no URL' })])
  if (!isPlainPath(written)) return failed([wireProblem('unsafe_path', { catalog: catalog.id })])
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  if (!isWeb || url.username !== '' || url.password !== '' || !declared(catalog).includes(url.origin)) {
    return failed([wireProblem('undeclared_origin', { catalog: catalog.id, origin: originOf(url) })])
  }
  return withReach(catalog, url, [catalog.origin], allowPrivate)
}

/** Where the catalog's access tokens come from. */
export function tokenDestination(
  catalog: ServedCatalog,
  tokenUrl: string,
  allowPrivate: AllowPrivate,
): Result<Destination, WireProblem> {
  const url = parseUrl(tokenUrl)
  if (!url || !/^https?:$/.test(url.protocol)) {
    return failed([
      wireProblem('invalid_request', { catalog: catalog.id, detail: 'its token address is no URL' }),
    ])
  }
  return withReach(catalog, url, [tokenUrl], allowPrivate)
}

/**
 * A private address is allowed if it is spelled out in the address that operators are shown with the catalog, or if the operator
 * gave it. Other origins stand somewhere in a document that may come from anyone.
 */
function withReach(
  catalog: ServedCatalog,
  url: URL,
  texts: readonly string[],
  allowPrivate: AllowPrivate,
): Result<Destination, WireProblem> {
  if (allowPrivate(catalog.id, url.origin)) return ok({ url, reach: 'anywhere' })
  const literal = literalAddress(url.hostname)
  if (literal === undefined) return ok({ url, reach: isLocalhost(url.hostname) ? 'loopback' : 'public' })
  // `http://2130706433` is 127.0.0.1 as well, but a reviewer of the catalog cannot see that.
  if (isPrivate(literal) && !texts.some((text) => hostIn(text) === url.hostname)) {
    return failed([wireProblem('private_address', { catalog: catalog.id, host: url.hostname })])
  }
  return ok({ url, reach: 'anywhere' })
}

/** The host as an address spells it, without its port. */
function hostIn(address: string): string | undefined {
  return /^https?:\/\/(\[[^\]]*\]|[^/:?#]*)/i.exec(address)?.[1]?.toLowerCase()
}

/** Cached by catalog: models are frozen, and every call needs it. */
const DECLARED = new WeakMap<ServedCatalog, readonly string[]>()

function declared(catalog: ServedCatalog): readonly string[] {
  let origins = DECLARED.get(catalog)
  if (!origins) {
    origins = [catalog.origin, ...catalog.otherOrigins].map((text) => parseUrl(text)?.origin ?? '')
    DECLARED.set(catalog, origins)
  }
  return origins
}

/** The path below the origin's base path: `https://a.b/v1` and `/x` give `https://a.b/v1/x`; an empty one is the base path. */
function joined(origin: string, path: string): string {
  if (path === '') return origin
  return `${origin.replace(/\/+$/, '')}${path.startsWith('/') ? '' : '/'}${path}`
}

/** Whether the text's path means what it says: URL parsers collapse dot segments (`%2e` too), drop control characters and take `\` for `/`. */
function isPlainPath(url: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0020\u007F\\#]/.test(url)) return false
  const [path = ''] = url.replace(/^[a-z]+:\/\//i, '').split('?')
  return !path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment))
}

/** The origin for messages; opaque ones as their scheme. */
function originOf(url: URL): string {
  return url.origin === 'null' ? url.protocol : url.origin
}

export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
