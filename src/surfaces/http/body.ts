import { bytesUpTo } from '../../base/bounded-bytes.ts'
import { ok, failed, type Result } from '../../base/diagnostic.ts'
import { httpProblem, type HttpProblem } from './problems.ts'

/** Bytes of a request's body at most. */
export const MAX_BODY_BYTES = 1024 * 1024

/** What is asked of a request here: hono's own, whose light-weight reading stays in use. */
interface Incoming {
  readonly header: (name: string) => string | undefined
  readonly arrayBuffer: () => Promise<ArrayBuffer>
  readonly raw: Request
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * A JSON body as a value. Gives `wrong_content_type`, `wrong_charset`, `wrong_content_encoding`, `body_too_large`,
 * `malformed_encoding` or `malformed_json`.
 */
export async function jsonBody(request: Incoming): Promise<Result<unknown, HttpProblem>> {
  if (!isJson(contentType(request))) return failed([wrongType(request, ['application/json'])])
  const text = await textOf(request)
  return text.ok ? parsedJson(text.value) : text
}

/** A JSON body as a value, or a `text/plain` one as its text. Gives the same problems as `jsonBody`. */
export async function jsonOrTextBody(
  request: Incoming,
): Promise<Result<{ readonly json: unknown } | { readonly text: string }, HttpProblem>> {
  const type = contentType(request)
  if (type === 'text/plain') {
    const text = await textOf(request)
    return text.ok ? ok({ text: text.value }) : text
  }
  if (!isJson(type)) return failed([wrongType(request, ['application/json', 'text/plain'])])
  const json = await jsonBody(request)
  return json.ok ? ok({ json: json.value }) : json
}

/** Gives `malformed_json`. */
export function parsedJson(text: string): Result<unknown, HttpProblem> {
  try {
    return ok(JSON.parse(text))
  } catch (error) {
    // The parser's message quotes the body: only its place is worth showing.
    const place = error instanceof Error ? /position \d+/.exec(error.message)?.[0] : undefined
    return failed([
      httpProblem('malformed_json', {
        reason: text === '' ? 'it is empty' : `it breaks off at ${place ?? 'its end'}`,
      }),
    ])
  }
}

async function textOf(request: Incoming): Promise<Result<string, HttpProblem>> {
  const coded = codingProblem(request)
  if (coded) return failed([coded])
  const bytes = await bytesOf(request)
  if (bytes === undefined) return failed([httpProblem('body_too_large', { most: MAX_BODY_BYTES })])
  try {
    return ok(utf8.decode(bytes))
  } catch {
    return failed([httpProblem('malformed_encoding', {})])
  }
}

/** The body, or nothing where it is too large. A body of unknown length is counted while it comes in. */
async function bytesOf(request: Incoming): Promise<ArrayBuffer | Uint8Array | undefined> {
  const length = request.header('content-length')
  if (length !== undefined) return Number(length) <= MAX_BODY_BYTES ? request.arrayBuffer() : undefined
  return bytesUpTo(MAX_BODY_BYTES, request.raw.body)
}

function contentType(request: Incoming): string {
  return (request.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Bytes that are no UTF-8 text as they come; of ASCII every text is one. */
export function codingProblem(request: Pick<Incoming, 'header'>): HttpProblem | undefined {
  const type = request.header('content-type') ?? ''
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1]?.toLowerCase() ?? 'utf-8'
  if (!['utf-8', 'utf8', 'us-ascii'].includes(charset))
    return httpProblem('wrong_charset', { charset: charset.slice(0, 50) })
  const encoding = request.header('content-encoding')?.trim().toLowerCase() ?? ''
  return encoding === '' || encoding === 'identity'
    ? undefined
    : httpProblem('wrong_content_encoding', { encoding: encoding.slice(0, 50) })
}

function isJson(type: string): boolean {
  return type === 'application/json' || (type.startsWith('application/') && type.endsWith('+json'))
}

function wrongType(request: Incoming, wanted: readonly string[]): HttpProblem {
  return httpProblem('wrong_content_type', { wanted, actual: contentType(request).slice(0, 100) })
}
