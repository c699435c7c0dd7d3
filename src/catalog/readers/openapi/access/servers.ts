import type { Json } from '../../../../base/canonical.ts'
import { child, scalarText } from '../../../../base/json.ts'
import { parseOrigin } from '../../../origin.ts'
import { listAt, textAt } from '../schema/keywords.ts'

/** Where the calls go if the document does not say: a name that never resolves. */
export const NO_SERVER = 'https://server.invalid'

/**
 * The address of a server, its variables filled with their defaults; relative ones below the document's own address.
 * Undefined if it is no http or https address.
 */
export function addressOf(server: Json, document: string): string | undefined {
  const url = textAt(server, 'url')
  if (url === undefined) return undefined
  const variables = child(server, 'variables')
  const filled = url.slice(0, 2000).replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = child(variables, name)
    return scalarText(child(variable, 'default')) ?? scalarText(listAt(variable, 'enum')[0]) ?? whole
  })
  return below(filled.trim(), document)
}

/** The address that a document of OpenAPI 2.0 names by `host`, `basePath` and `schemes`. */
export function addressOfTwo(document: Json, path: string): string | undefined {
  const base = textAt(document, 'basePath') ?? '/'
  const host = textAt(document, 'host')
  if (host === undefined) return below(base, path)
  const schemes = listAt(document, 'schemes')
  const scheme = schemes.includes('https') || schemes.length === 0 ? 'https' : 'http'
  return below(`${scheme}://${host}${base.startsWith('/') ? '' : '/'}${base}`, path)
}

function below(url: string, document: string): string | undefined {
  const isWeb = /^https?:\/\//i.test(document)
  const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : isWeb ? absoluteOf(url, document) : undefined
  return absolute === undefined ? undefined : parseOrigin(absolute.replace(/[?#].*$/, ''))
}

function absoluteOf(url: string, document: string): string | undefined {
  try {
    return new URL(url, document).href
  } catch {
    return undefined
  }
}
