import { errors, type Agent, type Dispatcher } from 'undici'
import type { Json } from '../../base/canonical.ts'
import { codeOf } from '../../base/errors.ts'
import { OutOfReach } from './addresses.ts'
import { lengthOf, readBody, TooLarge, Undecodable } from './body.ts'
import type { Deadline } from './deadline.ts'
import { parseUrl } from './destination.ts'
import type { AnswerBody, AnswerRead } from './answer/read.ts'
import { TooHard } from './answer/reader.ts'
import { MAX_DEPTH } from './json.ts'
import { wireProblem, type WireProblem } from './problems.ts'
import type { OutgoingRequest } from './request.ts'
import { strikeOut, type StrikeOut } from './strike-out.ts'

/** The outcome of one request. */
export type Attempt =
  | {
      readonly kind: 'reply'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: Json
      readonly bytes: number
    }
  | {
      readonly kind: 'failure'
      readonly problem: WireProblem
      readonly sent: 'no' | 'yes' | 'unknown'
      readonly status?: number
      /** A redirect to the same address with a slash at its end, or without that. */
      readonly isSlashAway?: true
      /** May the same call succeed in a moment? */
      readonly passing: boolean
    }

/** The most bytes of an error response: enough for any message. */
const ERROR_BYTES = 64 * 1024

/** What the client may read before the body has its reader; it must not wait for it (see `readBody`). */
const READ_AHEAD = 1024 * 1024

/** Sockets that record the progress of each request. */
export type Exit = Dispatcher.ComposedDispatcher

/** Sends requests over an agent's sockets. */
export function exitOf(agent: Agent): Exit {
  return agent.compose(
    (dispatch) => (options, handler) =>
      dispatch(
        options,
        'opaque' in options && options.opaque instanceof Progress
          ? watched(handler, options.opaque)
          : handler,
      ),
  )
}

export interface Context {
  readonly exit: Exit
  readonly catalog: string
  readonly deadline: Deadline
  readonly maxBytes: number
  /** Reads the body of an answer; may reject with `TooHard`, or once the deadline has passed. */
  readonly read: (body: AnswerBody) => Promise<AnswerRead>
}

/** Sends one request and reads its whole response. Never rejects. */
export async function exchange(request: OutgoingRequest, context: Context): Promise<Attempt> {
  return attempt(request, context, new Progress(Infinity))
}

/**
 * The longest time between the question whether a request may leave and its first byte: a right that ends in this time counts as
 * one that ends while the request is on its way. A shorter time would gain nothing, as requests are on their way for as long; and
 * while other callers keep this process busy, a request with an open connection would be asked about again and again.
 */
const AT_ONCE_MS = 100

/**
 * The same, for a request that may leave now but perhaps not later. Gives `waited` if a connection had to be made first: then
 * nothing was sent, and the connection is there.
 */
export async function exchangeAtOnce(
  request: OutgoingRequest,
  context: Context,
): Promise<Attempt | { readonly kind: 'waited' }> {
  const progress = new Progress(AT_ONCE_MS)
  const sent = await attempt(request, context, progress)
  return progress.hasWaited && !context.deadline.over ? { kind: 'waited' } : sent
}

async function attempt(request: OutgoingRequest, context: Context, progress: Progress): Promise<Attempt> {
  try {
    const { exit, deadline } = context
    const { origin, path, method, headers, body } = request
    const { signal } = deadline
    const options = {
      origin, path, method: toMethod(method), headers: [...headers], body, signal, highWaterMark: READ_AHEAD,
    } // prettier-ignore
    const response = await deadline.race(exit.request({ ...options, opaque: progress }))
    progress.status = response.statusCode
    return await readAnswer(response, request, context)
  } catch (error) {
    return failureOf(error, progress, request, context)
  }
}

/** The progress of a request. */
class Progress {
  written = false
  status: number | undefined
  hasWaited = false
  readonly #until: number

  /** @param withinMs the time in which it must be written; later it is not */
  constructor(withinMs: number) {
    this.#until = performance.now() + withinMs
  }

  /** To call right before it is written. Throws if it is too late: the connection stays open. */
  leave(): void {
    this.hasWaited = performance.now() > this.#until
    if (this.hasWaited) throw new Error('the request waited for its connection')
    this.written = true
  }
}

/** Records when a request is about to be written to an open connection. Before that it cannot have reached the API. */
function watched(handler: Dispatcher.DispatchHandler, progress: Progress): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => {
      handler.onRequestStart?.(controller, context)
      if (!controller.aborted) progress.leave()
    },
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  }
}

async function readAnswer(
  response: Dispatcher.ResponseData<Progress>,
  request: OutgoingRequest,
  context: Context,
): Promise<Attempt> {
  const { origin } = request
  const status = response.statusCode
  const without = strikeOut(request.secrets)
  const headers = flatHeaders(response.headers, without)
  const failed = (problem: WireProblem): Attempt => ({
    kind: 'failure',
    problem,
    sent: 'yes',
    status,
    passing: false,
  })
  if (status >= 300 && status < 400) {
    response.body.on('error', () => {}).destroy()
    const from = `${origin}${request.path}`
    const to = parseUrl(headers['location'] ?? '', from)
    const problem = wireProblem('redirected', { origin, status, to: to?.origin ?? 'nowhere' })
    return { ...failed(problem), ...(to && isSlashAway(new URL(from), to) && { isSlashAway: true }) }
  }
  const isError = status >= 400
  const most = isError ? Math.min(ERROR_BYTES, context.maxBytes) : context.maxBytes
  const encoding = headers['content-encoding'] ?? ''
  const body = await context.deadline
    .race(readBody(response.body, encoding, most))
    .catch((error: unknown) => {
      // The status of an error is sufficient, even if its body cannot be read.
      if (isError && !context.deadline.over) return []
      throw error
    })
  const bytes = lengthOf(body)
  const reply = (value: Json): Attempt => ({ kind: 'reply', status, headers, body: value, bytes })
  const as = (isError ? undefined : request.answer) ?? 'json'
  const read = await context.read({ body, as, secrets: request.secrets })
  if ('value' in read) return reply(read.value)
  const type = headers['content-type'] ?? ''
  if (isError) return reply(plainText(read.text, type))
  if (read.wrong === 'too_deep') return failed(wireProblem('answer_too_deep', { origin, levels: MAX_DEPTH }))
  return failed(wireProblem('not_json', { origin, found: kindOf(read.text, type) }))
}

/** Some servers leave out the query of an address that they correct. */
function isSlashAway(from: URL, to: URL): boolean {
  const [longer, shorter] = from.pathname.length > to.pathname.length ? [from, to] : [to, from]
  return (
    from.origin === to.origin &&
    longer.pathname === `${shorter.pathname}/` &&
    (to.search === from.search || to.search === '')
  )
}

/** Keeps a short message in plain text, but not a web page. */
function plainText(text: string, contentType: string): Json {
  return isMarkup(text) || !/^text\/plain/i.test(contentType) ? null : text
}

function kindOf(text: string, contentType: string): string {
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(contentType)?.[0] ?? 'text without a content type'
  return isMarkup(text) ? `a web page or XML (${type})` : type
}

function isMarkup(text: string): boolean {
  return text.startsWith('<')
}

function flatHeaders(
  headers: Dispatcher.ResponseData['headers'],
  without: StrikeOut,
): Readonly<Record<string, string>> {
  const pairs = Object.entries(headers).flatMap(([name, value]) => {
    // Cookies are credentials as well.
    if (value === undefined || name === 'set-cookie') return []
    return [[name, without.text(Array.isArray(value) ? value.join(', ') : value)] as const]
  })
  return Object.fromEntries(pairs)
}

function failureOf(
  error: unknown,
  progress: Progress,
  { origin }: OutgoingRequest,
  { catalog, deadline, maxBytes }: Context,
): Attempt {
  const { status } = progress
  const sent = status !== undefined ? 'yes' : progress.written ? 'unknown' : 'no'
  const failed = (problem: WireProblem, passing = false): Attempt => ({
    kind: 'failure',
    problem,
    sent,
    ...(status !== undefined && { status }),
    passing,
  })
  if (deadline.over) return failed(interrupted(origin, deadline))
  if (error instanceof TooLarge) return failed(wireProblem('too_large', { origin, maxBytes }))
  if (error instanceof Undecodable || error instanceof TooHard)
    return failed(wireProblem('broken_answer', { origin, detail: error.message }))
  if (error instanceof OutOfReach)
    return failed(wireProblem('private_address', { catalog, host: error.message }))
  if (error instanceof errors.InvalidArgumentError || error instanceof errors.NotSupportedError) {
    return failed(
      wireProblem('invalid_request', {
        catalog,
        detail: 'a header or the path holds characters that may not be sent',
      }),
    )
  }
  const detail = reasonOf(error)
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) {
    return failed(wireProblem('broken_answer', { origin, detail: 'it is no HTTP' }))
  }
  return failed(wireProblem(sent === 'no' ? 'unreachable' : 'connection_lost', { origin, detail }), true)
}

/** The problem of a call that reached its deadline. */
export function interrupted(origin: string, deadline: Deadline): WireProblem {
  return deadline.cancelled
    ? wireProblem('call_cancelled', { origin })
    : wireProblem('timed_out', { origin, timeoutMs: deadline.timeoutMs })
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server listens there',
  ENOTFOUND: 'its name does not exist',
  EAI_AGAIN: 'its name could not be looked up just now',
  ECONNRESET: 'the other side reset it',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to its network',
  ETIMEDOUT: 'the host did not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the host did not answer',
  UND_ERR_SOCKET: 'the other side closed it',
}

/** By code: the message of an error may repeat what was sent. */
function reasonOf(error: unknown): string {
  const code = codeOf(error) ?? 'unknown reason'
  return Object.hasOwn(REASONS, code) ? `${REASONS[code]} (${code})` : code
}

function toMethod(method: string): Dispatcher.HttpMethod {
  return method
}
