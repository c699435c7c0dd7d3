import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Announced, type Caller, mayUse, type Surface } from '../../engine/index.ts'
import type { Admission, HeaderOf } from './admission/admission.ts'
import { HEADERS } from './answer.ts'
import { codingProblem, MAX_BODY_BYTES } from './body.ts'

/** The calls of one path that are answered on the socket. */
export interface SocketCalls {
  readonly path: string
  readonly surface: Surface
  /** The call that the body of a POST holds; undefined if the app answers it. Has no effects. */
  readonly recognise: (body: string, header: HeaderOf) => SocketCall | undefined
}

/** Makes a call and returns its answer. */
type SocketCall = (exchange: SocketExchange) => Promise<SocketAnswer>

/** Who calls from where, and what they learn. */
export interface SocketExchange {
  readonly caller: Caller
  readonly announced: Announced
  /** Calls back once the answer was handed to the operating system in full. */
  readonly onWritten: (callback: () => void) => void
}

/** An answer, and the headers that it has besides those of every answer. */
export interface SocketAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Answers a request, or resolves to false: then it is unanswered, and a body that was read is its `rawBody`. */
export type SocketListener = (
  incoming: IncomingMessage & { rawBody?: Buffer },
  outgoing: ServerResponse,
) => Promise<boolean>

/**
 * Answers calls without a request and a response of the fetch API, which cost more than a frequent call. What is refused, or
 * not recognised, is left to the app, which is behind the same admission.
 *
 * @param failed the answer to a call that threw
 */
export function onSocket(
  admission: Admission,
  calls: readonly SocketCalls[],
  failed: (error: unknown) => SocketAnswer,
): SocketListener {
  const callsOf = new Map(calls.map((one) => [one.path, one]))
  const admitted = async (header: HeaderOf, surface: Surface): Promise<Caller | undefined> => {
    if (admission.foreign(header('host'), header)) return undefined
    // The app meets the same failure, and words it.
    const caller = await admission.caller(header).catch(() => null)
    return caller && mayUse(caller, surface) ? caller : undefined
  }
  return async (incoming, outgoing) => {
    const served = callsOf.get(incoming.url ?? '')
    if (!served || incoming.method !== 'POST' || !hasLength(incoming)) return false
    const header: HeaderOf = (name) => incoming.headers[name]?.toString()
    if (codingProblem({ header })) return false
    const caller = await admitted(header, served.surface)
    if (!caller) return false
    const bytes = await bodyOf(incoming)
    if (!bytes) return true
    incoming.rawBody = bytes
    const call = isUtf8(bytes) ? served.recognise(bytes.toString(), header) : undefined
    if (call === undefined) return false
    // A refused request takes nothing from the rate, so the app refuses it again.
    const { headers: rate, retryAfterSeconds } = admission.count(caller, 1)
    if (retryAfterSeconds !== undefined) return false
    const exchange: SocketExchange = {
      caller,
      announced: admission.announced(header),
      onWritten: (callback) => void outgoing.once('finish', callback),
    }
    const { status, headers, body } = await call(exchange).catch(failed)
    const length = { 'content-length': Buffer.byteLength(body) }
    outgoing.writeHead(status, { ...HEADERS, ...rate, ...headers, ...length }).end(body)
    return true
  }
}

/** Does the request state the length of its body, and each header once? Repeated ones are joined by the app's rules. */
function hasLength({ headers, rawHeaders }: IncomingMessage): boolean {
  const length = headers['content-length'] ?? ''
  const isStated = /^\d{1,7}$/.test(length) && Number(length) <= MAX_BODY_BYTES
  return isStated && rawHeaders.length === Object.keys(headers).length * 2
}

/** The whole body; undefined if the connection broke before its end. */
function bodyOf(incoming: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => void chunks.push(chunk))
    incoming.once('end', () => resolve(Buffer.concat(chunks)))
    incoming.once('error', () => resolve(undefined))
  })
}
