import type { HttpProblemCode } from './problems.ts'

const OWN = {
  malformed_json: 400,
  malformed_encoding: 400,
  invalid_parameter: 400,
  unauthenticated: 401,
  forbidden_host: 403,
  forbidden_origin: 403,
  unknown_route: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  body_too_large: 413,
  wrong_content_type: 415,
  internal_error: 500,
  unavailable: 503,
} satisfies Record<HttpProblemCode, number>

const STATUS: ReadonlyMap<string, number> = new Map(Object.entries(OWN))

/** The HTTP status of a problem. */
export function statusOf(code: string): number {
  return STATUS.get(code) ?? 400
}
