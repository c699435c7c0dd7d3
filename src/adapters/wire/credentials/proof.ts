import type { Auth } from '../../../catalog/auth/auth.ts'
import type { Proof } from '../request.ts'

/** The credential of calls that carry none. */
export const NOTHING: Proof = { headers: [], query: [], secrets: [] }

export function bearer(token: string): Proof {
  return { headers: [['authorization', `Bearer ${token}`]], query: [], secrets: [token] }
}

export function basic(username: string, password: string): Proof {
  const encoded = Buffer.from(`${username}:${password}`).toString('base64')
  return { headers: [['authorization', `Basic ${encoded}`]], query: [], secrets: [password, encoded] }
}

export function apiKey(auth: Extract<Auth, { readonly scheme: 'api_key' }>, secret: string): Proof {
  const pair = [auth.name, secret] as const
  switch (auth.in) {
    case 'header':
      return { headers: [pair], query: [], secrets: [secret] }
    case 'query':
      return { headers: [], query: [pair], secrets: [secret] }
    case 'cookie': {
      const value = cookieValue(secret)
      return { headers: [['cookie', `${auth.name}=${value}`]], query: [], secrets: [secret, value] }
    }
  }
}

/** Percent-encoded if it has characters that RFC 6265 does not allow in a cookie: a semicolon would begin another one. */
function cookieValue(text: string): string {
  return /^[\x21\x23-\x2B\x2D-\x3A\x3C-\x5B\x5D-\x7E]*$/.test(text)
    ? text
    : encodeURIComponent(text.toWellFormed())
}
