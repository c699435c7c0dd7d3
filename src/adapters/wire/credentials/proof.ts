import { cookieValue } from '../../../catalog/values/cookie.ts'
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

/** A key that is a segment of the path. */
export function pathKey(secret: string): Proof {
  const segment = encodeURIComponent(secret.toWellFormed())
  return { headers: [], query: [], segment, secrets: [secret, segment] }
}
