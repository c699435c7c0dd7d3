import { problemsOf } from '../../base/diagnostic.ts'

interface AboutCatalog {
  readonly catalog: string
}
interface AboutOrigin {
  readonly origin: string
}

const again = () => 'repeat the call later, or ask whoever runs the API'
const askOperator = () => 'tell the operator of this server: a program cannot change it'

const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString()

/** Sentences about the way to an API. They name origins, never whole URLs: a query may hold a secret. */
export const wireProblem = problemsOf({
  undeclared_origin: {
    message: ({ catalog, origin }: AboutCatalog & AboutOrigin) =>
      `nothing was sent to ${origin}: the catalog \`${catalog}\` does not declare that origin`,
    next: askOperator,
  },
  unsafe_path: {
    message: ({ catalog }: AboutCatalog) =>
      `nothing was sent: a path of \`${catalog}\` holds dot segments, control characters or a fragment`,
    next: () => 'use arguments without `.`, `..`, `\\` and `#` segments',
  },
  private_address: {
    message: ({ catalog, host }: AboutCatalog & { readonly host: string }) =>
      `nothing was sent: ${host}, which \`${catalog}\` names, is an address inside this machine or its network`,
    next: () => 'the operator may allow the host, or write its address itself into the catalog',
  },
  invalid_request: {
    message: ({ catalog, detail }: AboutCatalog & { readonly detail: string }) =>
      `nothing was sent: the request to \`${catalog}\` cannot be written: ${detail}`,
    next: askOperator,
  },
  secret_missing: {
    message: ({ catalog, reference }: AboutCatalog & { readonly reference: string }) =>
      `nothing was sent: the secret \`${reference}\`, which \`${catalog}\` needs, is not set or cannot be read`,
    next: askOperator,
  },
  token_refused: {
    message: ({ catalog, origin, detail }: AboutCatalog & AboutOrigin & { readonly detail: string }) =>
      `nothing was sent: ${origin} gave no access token for \`${catalog}\`: ${detail}`,
    next: askOperator,
  },
  unreachable: {
    message: ({ origin, detail }: AboutOrigin & { readonly detail: string }) =>
      `${origin} cannot be reached: ${detail}`,
    next: again,
  },
  origin_resting: {
    message: ({
      origin,
      since,
      at,
    }: AboutOrigin & { readonly since: number; readonly at: number | undefined }) =>
      `nothing was sent: ${origin} failed many times in a row and is left alone since ${timeOf(since)}; ${
        at === undefined ? 'another call is trying it just now' : `it will be tried again at ${timeOf(at)}`
      }`,
    next: () => 'repeat the call after that time, or ask whoever runs the API',
  },
  rate_limited: {
    message: ({ origin, at }: AboutOrigin & { readonly at: number }) =>
      `nothing was sent: the limit of requests to ${origin} is used up; it takes none before ${timeOf(at)}`,
    next: () => 'repeat the call after that time, or make fewer calls',
  },
  connection_lost: {
    message: ({ origin, detail }: AboutOrigin & { readonly detail: string }) =>
      `the connection to ${origin} broke before the whole answer was there: ${detail}`,
    next: again,
  },
  timed_out: {
    message: ({ origin, timeoutMs }: AboutOrigin & { readonly timeoutMs: number }) =>
      `${origin} did not answer in full within ${timeoutMs} ms`,
    next: () => 'ask for less at once, or repeat the call later',
  },
  cancelled: {
    message: ({ origin }: AboutOrigin) => `the call to ${origin} was cancelled`,
    next: () => 'run it again if it is still wanted',
  },
  redirected: {
    message: ({ origin, status, to }: AboutOrigin & { readonly status: number; readonly to: string }) =>
      `${origin} answered ${status} and points to ${to}: redirects are not followed`,
    next: () => 'the operator may correct the path or the origin in the catalog',
  },
  not_json: {
    message: ({ origin, found }: AboutOrigin & { readonly found: string }) =>
      `${origin} answered with ${found} where JSON was expected`,
    next: () =>
      'use another capability; the operator may look whether the path leads to the API and not to a web page',
  },
  too_large: {
    message: ({ origin, maxBytes }: AboutOrigin & { readonly maxBytes: number }) =>
      `the answer of ${origin} is larger than ${maxBytes} bytes`,
    next: () => 'ask for less at once: a smaller page, fewer fields or a narrower filter',
  },
  answer_too_deep: {
    message: ({ origin, levels }: AboutOrigin & { readonly levels: number }) =>
      `the answer of ${origin} is nested more than ${levels} levels deep`,
    next: () => 'use another capability: answers like that are not read',
  },
  broken_answer: {
    message: ({ origin, detail }: AboutOrigin & { readonly detail: string }) =>
      `the answer of ${origin} cannot be read: ${detail}`,
    next: again,
  },
})

export type WireProblem = ReturnType<typeof wireProblem>
