import { problemsOf } from '../../base/diagnostic.ts'

interface AboutCatalog {
  readonly catalog: string
}
interface AboutOrigin {
  readonly origin: string
}

const again = () => 'Repeat the call later.'
const askOperator = () => 'Report this to the operator of the server; a program cannot change it.'

const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString()

/** Problems of calls to an API. Messages show origins, never whole URLs, since a query may contain a secret. */
export const wireProblem = problemsOf({
  undeclared_origin: {
    message: ({ catalog, origin }: AboutCatalog & AboutOrigin) =>
      `Nothing was sent to ${origin}: the catalog \`${catalog}\` does not declare this origin.`,
    next: askOperator,
  },
  unsafe_path: {
    message: ({ catalog }: AboutCatalog) =>
      `Nothing was sent: a path of \`${catalog}\` contains dot segments, control characters or a fragment.`,
    next: () => 'Use arguments without `.`, `..`, `\\` and `#` segments.',
  },
  secret_struck: {
    message: ({ catalog }: AboutCatalog) =>
      `Nothing was sent to \`${catalog}\`: an argument holds the mark of a credential that was taken out of an answer.`,
    next: () => 'Leave out that value, or write another one in the program.',
  },
  private_address: {
    message: ({ catalog, host }: AboutCatalog & { readonly host: string }) =>
      `Nothing was sent: the host ${host} of \`${catalog}\` has a private or loopback address.`,
    next: () =>
      'Ask the operator to give this address as the server of the catalog (`--backend`, or `server` in the configuration).',
  },
  invalid_request: {
    message: ({ catalog, detail }: AboutCatalog & { readonly detail: string }) =>
      `Nothing was sent: the request to \`${catalog}\` cannot be built: ${detail}.`,
    next: askOperator,
  },
  secret_missing: {
    message: ({ catalog, secret }: AboutCatalog & { readonly secret: string }) =>
      `Nothing was sent: the secret ${secret} of \`${catalog}\` is not set or cannot be read.`,
    next: askOperator,
  },
  token_refused: {
    message: ({ catalog, origin, detail }: AboutCatalog & AboutOrigin & { readonly detail: string }) =>
      `Nothing was sent: ${origin} issued no access token for \`${catalog}\`: ${detail}.`,
    next: askOperator,
  },
  login_needed: {
    message: ({ catalog }: AboutCatalog) =>
      `Nothing was sent: there is no valid login to \`${catalog}\`, or it has expired.`,
    next: ({ catalog }: AboutCatalog) =>
      `Ask the operator of the server to run \`plasmid auth login ${catalog}\`.`,
  },
  sign_in_failed: {
    message: ({ catalog, detail }: AboutCatalog & { readonly detail: string }) =>
      `The sign-in to \`${catalog}\` failed: ${detail}.`,
    next: ({ catalog }: AboutCatalog & { readonly detail: string }) =>
      `Run \`plasmid auth login ${catalog}\` again.`,
  },
  unreachable: {
    message: ({ origin, detail }: AboutOrigin & { readonly detail: string }) =>
      `Cannot reach ${origin}: ${detail}.`,
    next: again,
  },
  origin_resting: {
    message: ({
      origin,
      since,
      at,
    }: AboutOrigin & { readonly since: number; readonly at: number | undefined }) =>
      `Nothing was sent: ${origin} failed repeatedly and has been paused since ${timeOf(since)}; ${
        at === undefined ? 'another call is trying it now' : `the next attempt is at ${timeOf(at)}`
      }.`,
    next: () => 'Repeat the call after that time.',
  },
  origin_busy: {
    message: ({ origin }: AboutOrigin) =>
      `Nothing was sent: the share of this caller in the connections to ${origin} was in use until its time was up.`,
    next: () => 'Repeat the call later, or make fewer calls at once.',
  },
  throttled: {
    message: ({ origin, at }: AboutOrigin & { readonly at: number }) =>
      `Nothing was sent: the rate limit of ${origin} is exhausted until ${timeOf(at)}.`,
    next: () => 'Repeat the call after that time, or make fewer calls.',
  },
  connection_lost: {
    message: ({ origin, detail }: AboutOrigin & { readonly detail: string }) =>
      `The connection to ${origin} broke before the answer was complete: ${detail}.`,
    next: again,
  },
  timed_out: {
    message: ({ origin, timeoutMs }: AboutOrigin & { readonly timeoutMs: number }) =>
      `No complete answer came from ${origin} within ${timeoutMs} ms.`,
    next: () => 'Request less at once, or repeat the call later.',
  },
  call_cancelled: {
    message: ({ origin }: AboutOrigin) => `The call to ${origin} was cancelled.`,
    next: () => 'Repeat the call if it is still needed.',
  },
  redirected: {
    message: ({ origin, status, to }: AboutOrigin & { readonly status: number; readonly to: string }) =>
      `Redirect not followed: ${origin} answered ${status} and points to ${to}.`,
    next: () => 'Ask the operator to correct the path or the origin in the catalog.',
  },
  not_json: {
    message: ({ origin, found }: AboutOrigin & { readonly found: string }) =>
      `Expected JSON from ${origin}, got ${found}.`,
    next: () => 'Use another capability, or ask the operator to check the path in the catalog.',
  },
  too_large: {
    message: ({ origin, maxBytes }: AboutOrigin & { readonly maxBytes: number }) =>
      `The answer of ${origin} is larger than ${maxBytes} bytes.`,
    next: () => 'Request less at once: a smaller page, fewer fields or a narrower filter.',
  },
  answer_too_deep: {
    message: ({ origin, levels }: AboutOrigin & { readonly levels: number }) =>
      `The answer of ${origin} is nested more than ${levels} levels deep.`,
    next: () => 'Use another capability.',
  },
  broken_answer: {
    message: ({ origin, detail }: AboutOrigin & { readonly detail: string }) =>
      `Cannot read the answer of ${origin}: ${detail}.`,
    next: again,
  },
})

export type WireProblem = ReturnType<typeof wireProblem>
