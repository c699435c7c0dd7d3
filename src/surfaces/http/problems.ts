import { oneOf, problemsOf, type Problem } from '../../base/diagnostic.ts'

/** What a request can get wrong before the engine sees it. */
export const httpProblem = problemsOf({
  malformed_json: {
    message: ({ reason }: { reason: string }) => `the body is not JSON: ${reason}`,
    next: () => 'Send one JSON value, encoded as UTF-8',
  },
  malformed_request: {
    message: () => 'the request is no HTTP that can be read',
    next: () => 'Send HTTP/1.1 with one `Host`, and a path that begins with `/`',
  },
  headers_too_large: {
    message: () => 'the address and the headers of the request are too large',
    next: () => 'Send less than 16 KiB of them; programs belong into the body',
  },
  request_timeout: {
    message: () => 'the request did not come to its end in time',
    next: () => 'Send it again, whole',
  },
  malformed_encoding: {
    message: () => 'the body is not UTF-8',
    next: () => 'Encode the body as UTF-8',
  },
  wrong_content_type: {
    message: ({ wanted, actual }: { wanted: readonly string[]; actual: string }) =>
      `the content type must be ${oneOf(wanted)}: it is ${actual === '' ? 'missing' : `\`${actual}\``}`,
    next: ({ wanted }: { wanted: readonly string[] }) => `Send the header \`Content-Type: ${wanted[0]}\``,
  },
  wrong_charset: {
    message: ({ charset }: { charset: string }) => `the body must be UTF-8: its charset is \`${charset}\``,
    next: () => 'Encode the body as UTF-8, and send `charset=utf-8` or no charset',
  },
  wrong_content_encoding: {
    message: ({ encoding }: { encoding: string }) => `the body must not be compressed: it is \`${encoding}\``,
    next: () => 'Send the body as it is, without the header `Content-Encoding`',
  },
  body_too_large: {
    message: ({ most }: { most: number }) => `the body must be at most ${most} bytes`,
    next: () => 'Send less in one request',
  },
  not_acceptable: {
    message: ({ accept }: { accept: string }) => `nothing that this answers is accepted by \`${accept}\``,
    next: ({ offers }: { offers: readonly string[] }) => `Accept ${oneOf(offers)}`,
  },
  invalid_parameter: {
    message: ({ name, wanted, actual }: { name: string; wanted: string; actual: string }) =>
      `\`${name}\` must be ${wanted}: it is \`${actual}\``,
    next: ({ name }: { name: string }) => `Correct or leave out \`${name}\``,
  },
  unknown_route: {
    message: ({ path }: { path: string }) => `there is nothing at \`${path}\``,
    next: () => 'Read /openapi.json for the routes',
  },
  method_not_allowed: {
    message: ({ method, path }: { method: string; path: string }) => `\`${path}\` does not answer ${method}`,
    next: ({ allowed }: { allowed: readonly string[] }) => `Use ${oneOf(allowed)}`,
  },
  unauthenticated: {
    message: () => 'the request proves no caller',
    next: () =>
      'Send `Authorization: Bearer` with an API key or a token of an issuer where the operator takes those, else with what stands in the file `token` of the data directory',
  },
  forbidden_host: {
    message: ({ host }: { host: string }) => `this server does not answer to the host \`${host}\``,
    next: () => 'Use a loopback name, or let the operator add the name to `allowed_hosts`',
  },
  forbidden_origin: {
    message: ({ origin }: { origin: string }) => `pages of \`${origin}\` may not call this server`,
    next: () => 'Let the operator add the host of the page to `allowed_hosts`',
  },
  internal_error: {
    message: () => 'the server failed: the operator was told',
    next: () => 'Try again later',
  },
})

export type HttpProblemCode = Parameters<typeof httpProblem>[0]
export type HttpProblem = Problem<HttpProblemCode>
