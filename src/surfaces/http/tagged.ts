import type { Context } from 'hono'
import { fingerprint } from '../../base/hash.ts'
import { answer } from './answer.ts'
import type { Env } from './route.ts'

/**
 * The answer to a `GET` of content that can be read again: with the tag of the content, or 304 if the client has this content.
 * A client may keep it for itself, and asks each time whether it still holds.
 */
export function tagged(c: Context<Env>, body: string, type: string): Response {
  const tag = `"${fingerprint(body)}"`
  const headers = { etag: tag, 'cache-control': 'private, no-cache', vary: 'accept, authorization' }
  return holds(c.req.header('if-none-match'), tag)
    ? answer(null, 304, headers)
    : answer(body, 200, { ...headers, 'content-type': type })
}

/** A value as JSON that can be read again. */
export function taggedJson(c: Context<Env>, value: unknown): Response {
  return tagged(c, JSON.stringify(value), 'application/json')
}

/** Does an `If-None-Match` name this tag? A tag with `W/` counts as well. */
function holds(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const tags = header.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return tags.includes(tag) || tags.includes('*')
}
