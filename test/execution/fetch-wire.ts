import type { Json } from '../../src/base/canonical.ts'
import type { Wire, WireCall } from '../../src/execution/wire.ts'

/** A small wire over `fetch`, for tests of what stands above it: no credentials, no retries. */
export const fetchWire: Wire = {
  async send(call, { signal, timeoutMs, maxBytes }) {
    try {
      const response = await fetch(urlOf(call), {
        method: call.method,
        headers: [
          ...call.headers.map(([name, value]): [string, string] => [name, value]),
          ...contentType(call),
        ],
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        ...(call.body && { body: encoded(call.body) }),
      })
      const text = await response.text()
      if (text.length > maxBytes)
        return failure('too_big', `the answer has more than ${maxBytes} bytes`, 'yes', response.status)
      if (/^\s*</.test(text)) return failure('not_json', 'the API answered with HTML', 'yes', response.status)
      const body: Json = text === '' ? null : JSON.parse(text)
      return {
        ok: true,
        reply: {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body,
          bytes: text.length,
          requests: 1,
        },
      }
    } catch (thrown) {
      const name = thrown instanceof Error ? thrown.name : ''
      if (name === 'TimeoutError') return failure('timeout', `no answer in ${timeoutMs} ms`, 'unknown')
      return name === 'AbortError'
        ? failure('aborted', 'aborted', 'unknown')
        : failure('unreachable', 'the API cannot be reached.', 'no')
    }
  },
}

function urlOf(call: WireCall): URL {
  const base = new URL(call.catalog.origin)
  const url = new URL(
    'url' in call.target
      ? call.target.url
      : `${base.origin}${base.pathname.replace(/\/$/, '')}${call.target.path}`,
  )
  for (const [name, value] of call.query) url.searchParams.append(name, value)
  return url
}

function contentType({ body }: WireCall): [string, string][] {
  return body?.format === 'json' ? [['content-type', 'application/json']] : []
}

function encoded({ format, value }: NonNullable<WireCall['body']>): string | URLSearchParams {
  if (format === 'json') return JSON.stringify(value)
  return new URLSearchParams(
    Object.entries(value ?? {}).map(([key, held]): [string, string] => [key, String(held)]),
  )
}

function failure(code: string, message: string, sent: 'no' | 'yes' | 'unknown', status?: number) {
  const problem = { code, message, next: 'Run it again later' }
  return {
    ok: false,
    failure: { problem, sent, requests: 1, ...(status !== undefined && { status }) },
  } as const
}
