import { oneOf, problemsOf, type Problem } from '../../base/diagnostic.ts'

/** Problems of a request before it reaches the engine. */
export const httpProblem = problemsOf({
  malformed_json: {
    message: ({ reason }: { reason: string }) => `The body is not JSON: ${reason}.`,
    next: () => 'Send one JSON value, encoded as UTF-8.',
  },
  malformed_request: {
    message: () => 'Malformed HTTP request.',
    next: () => 'Send HTTP/1.1 with one `Host` header and a path that begins with `/`.',
  },
  headers_too_large: {
    message: () => 'The request line and headers are too large.',
    next: () => 'Send less than 16 KiB of them; put programs into the body.',
  },
  request_timeout: {
    message: () => 'The request was not complete in time.',
    next: () => 'Send the whole request again.',
  },
  malformed_encoding: {
    message: () => 'The body is not UTF-8.',
    next: () => 'Encode the body as UTF-8.',
  },
  wrong_content_type: {
    message: ({ wanted, actual }: { wanted: readonly string[]; actual: string }) =>
      `The content type must be ${oneOf(wanted)}, but is ${actual === '' ? 'missing' : `\`${actual}\``}.`,
    next: ({ wanted }: { wanted: readonly string[] }) => `Send the header \`Content-Type: ${wanted[0]}\`.`,
  },
  wrong_charset: {
    message: ({ charset }: { charset: string }) =>
      `The body must be UTF-8, but its charset is \`${charset}\`.`,
    next: () => 'Encode the body as UTF-8 and send `charset=utf-8` or no charset.',
  },
  wrong_content_encoding: {
    message: ({ encoding }: { encoding: string }) =>
      `The body must not be compressed, but is \`${encoding}\`.`,
    next: () => 'Send the body without `Content-Encoding`.',
  },
  body_too_large: {
    message: ({ most }: { most: number }) => `The body is larger than ${most} bytes.`,
    next: () => 'Send less in one request.',
  },
  not_acceptable: {
    message: ({ accept }: { accept: string }) =>
      `This route has no representation for \`Accept: ${accept}\`.`,
    next: ({ offers }: { offers: readonly string[] }) => `Accept ${oneOf(offers)}.`,
  },
  invalid_parameter: {
    message: ({ name, wanted, actual }: { name: string; wanted: string; actual: string }) =>
      `\`${name}\` must be ${wanted}, got \`${actual}\`.`,
    next: ({ name }: { name: string }) => `Correct or omit \`${name}\`.`,
  },
  unknown_route: {
    message: ({ path }: { path: string }) => `There is no route \`${path}\`.`,
    next: () => 'Read /openapi.json for the routes.',
  },
  method_not_allowed: {
    message: ({ method, path }: { method: string; path: string }) =>
      `\`${path}\` does not support ${method}.`,
    next: ({ allowed }: { allowed: readonly string[] }) => `Use ${oneOf(allowed)}.`,
  },
  unauthenticated: {
    message: () => 'The request carries no valid credentials.',
    next: () =>
      'Send `Authorization: Bearer` with an API key or a token of a configured issuer, or with the contents of the file `token` in the data directory.',
  },
  forbidden_host: {
    message: ({ host }: { host: string }) => `The host \`${host}\` is not allowed.`,
    next: () => 'Use a loopback name, or ask the operator to add the host to `allowed_hosts`.',
  },
  forbidden_origin: {
    message: ({ origin }: { origin: string }) => `The origin \`${origin}\` is not allowed.`,
    next: () =>
      'Use the host and port of the server, or ask the operator to add another host than loopback to `allowed_hosts`.',
  },
  forbidden_site: {
    message: () => 'The request comes from a page of another site.',
    next: () => 'Call the server from its own pages, or from a program.',
  },
  key_limited: {
    message: ({ only }: { only: readonly string[] }) =>
      `This request is beyond what its key is limited to: ${oneOf(only, 'and')}.`,
    next: () => 'Use another key of the same subject.',
  },
  operators_only: {
    message: () => 'Only an operator may read this.',
    next: () => 'Ask the operator to write `operator: true` into the policy for this caller.',
  },
  too_many_requests: {
    message: () => 'This caller sends more requests than its rate allows.',
    next: ({ seconds }: { seconds: number }) => `Wait ${seconds} s, and send fewer requests at once.`,
  },
  not_ready: {
    message: ({ parts }: { parts: readonly string[] }) =>
      `The server cannot serve requests now; failing: ${parts.join(', ')}.`,
    next: () => 'Wait and ask again; `plasmid doctor` on the machine of the server gives the reason.',
  },
  internal_error: {
    message: () => 'The server failed and logged the error.',
    next: () => 'Try again later.',
  },
})

export type HttpProblemCode = Parameters<typeof httpProblem>[0]
export type HttpProblem = Problem<HttpProblemCode>
