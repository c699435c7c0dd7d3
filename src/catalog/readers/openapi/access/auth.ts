import type { Json } from '../../../../base/canonical.ts'
import { child, isRecord, scalarText } from '../../../../base/json.ts'
import type { Auth, SecretReference } from '../../../auth/auth.ts'
import { securityOf } from '../source/operations.ts'
import type { Operation } from '../source/operation.ts'
import type { References } from '../source/refs.ts'
import { isCredentialHeader } from './parameters.ts'
import { textAt } from '../schema/keywords.ts'

/** The credential of a document's calls. */
export interface FoundAuth {
  readonly auth: Auth
  readonly why: string
  /** Schemes that some operations need and that this credential does not give. */
  readonly others: readonly string[]
}

/**
 * The scheme that most operations accept alone, with references to secrets: `env:<ID>_TOKEN` and its likes. Without one, or
 * where no operation needs one, calls carry no credential.
 */
export function authOf(
  document: Json,
  operations: readonly Operation[],
  refs: References,
  id: string,
): FoundAuth {
  const schemes = schemesOf(document, refs)
  const whole = securityOf(document)
  const needs = operations.map((operation) => operation.security ?? whole ?? [])
  const isFree = (alternatives: readonly (readonly string[])[]) =>
    alternatives.length === 0 || alternatives.some((names) => names.length === 0)
  const counts = [...schemes.keys()].map((name, order) => {
    const accepted = needs.filter((need) =>
      need.some((names) => names.length === 1 && names[0] === name),
    ).length
    return { name, accepted, rank: rankOf(schemes.get(name)), order }
  })
  const [best] = counts.toSorted((a, b) => b.accepted - a.accepted || a.rank - b.rank || a.order - b.order)
  if (!best || best.rank >= UNKNOWN) return authOfHeaders(operations, id)
  if (best.accepted === 0 && (needs.some((need) => need.length > 0) || whole !== undefined))
    return {
      auth: { scheme: 'none' },
      why: 'No operation accepts a single credential.',
      others: [...schemes.keys()],
    }
  const isOptional = needs.every(isFree)
  if (isOptional && best.accepted > 0)
    return {
      auth: { scheme: 'none' },
      why: 'Every operation can be called without a credential.',
      others: [],
    }
  const others = new Set(
    needs.filter((need) => !isFree(need) && !need.some((names) => names.includes(best.name))).flat(2),
  )
  const auth = authOfScheme(schemes.get(best.name), best.name, id, isOptional)
  return {
    auth,
    why: `The scheme \`${best.name}\` is the one that most operations accept.`,
    others: [...others],
  }
}

/** The credential that operations of a document without schemes take as a header. */
function authOfHeaders(operations: readonly Operation[], id: string): FoundAuth {
  const held = operations.flatMap(({ parameters }) => parameters.filter(isCredentialHeader).slice(0, 1))
  const [header] = held
  if (!header) return { auth: { scheme: 'none' }, why: 'The document names no credential.', others: [] }
  const isBearer = held.some(({ description, example }) =>
    /\bbearer\b/i.test(`${description ?? ''} ${scalarText(example) ?? ''}`),
  )
  const { name } = header
  const secret = secretOf(id, 'TOKEN')
  return {
    auth:
      isBearer && name.toLowerCase() === 'authorization'
        ? { scheme: 'bearer', secret, optional: held.length < operations.length }
        : { scheme: 'api_key', in: 'header', name, secret },
    why: `Operations take the header \`${name}\`, and the document names no scheme.`,
    others: [],
  }
}

function schemesOf(document: Json, refs: References): ReadonlyMap<string, Json> {
  const held =
    child(child(document, 'components'), 'securitySchemes') ?? child(document, 'securityDefinitions')
  return new Map(
    isRecord(held) ? Object.entries(held).map(([name, scheme]) => [name, refs.record(scheme)]) : [],
  )
}

const UNKNOWN = 9

/** The schemes in the order of preference, where operations accept several. */
function rankOf(scheme: Json | undefined): number {
  switch (textAt(scheme, 'type')) {
    case 'http':
      return textAt(scheme, 'scheme')?.toLowerCase() === 'basic'
        ? 4
        : textAt(scheme, 'scheme')?.toLowerCase() === 'bearer'
          ? 0
          : UNKNOWN
    case 'basic':
      return 4
    case 'apiKey':
      return textAt(scheme, 'in') === 'header' ? 1 : textAt(scheme, 'in') === 'query' ? 3 : 5
    case 'oauth2':
    case 'openIdConnect':
      return 2
    default:
      return UNKNOWN
  }
}

function authOfScheme(scheme: Json | undefined, name: string, id: string, optional: boolean): Auth {
  const type = textAt(scheme, 'type')
  if (type === 'apiKey') {
    const place = textAt(scheme, 'in')
    return {
      scheme: 'api_key',
      in: place === 'query' || place === 'cookie' ? place : 'header',
      name: textAt(scheme, 'name') ?? name,
      secret: secretOf(id, 'TOKEN'),
    }
  }
  if (type === 'basic' || textAt(scheme, 'scheme')?.toLowerCase() === 'basic')
    return { scheme: 'basic', username: secretOf(id, 'USERNAME'), password: secretOf(id, 'PASSWORD') }
  const tokenUrl = clientCredentialsUrl(scheme)
  if (tokenUrl !== undefined)
    return {
      scheme: 'client_credentials',
      tokenUrl,
      clientId: secretOf(id, 'CLIENT_ID'),
      clientSecret: secretOf(id, 'CLIENT_SECRET'),
      scopes: [],
    }
  return { scheme: 'bearer', secret: secretOf(id, 'TOKEN'), optional }
}

/** The token endpoint of the flow that needs no person. */
function clientCredentialsUrl(scheme: Json | undefined): string | undefined {
  const flows = child(scheme, 'flows')
  const url = textAt(child(flows, 'clientCredentials'), 'tokenUrl')
  const isTwo = textAt(scheme, 'flow') === 'application'
  const found = url ?? (isTwo ? textAt(scheme, 'tokenUrl') : undefined)
  return found !== undefined && /^https?:\/\//.test(found) ? found : undefined
}

/** `env:MY_API_TOKEN` for the catalog `my-api`. */
function secretOf(id: string, what: string): SecretReference {
  const name = id
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return `env:${/^[A-Z]/.test(name) ? name : `API_${name}`}_${what}`
}
