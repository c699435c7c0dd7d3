import type { ExactJson, Json } from '../base/canonical.ts'
import type { Problem, Result } from '../base/diagnostic.ts'
import type { ServedCatalog } from '../catalog/model.ts'
import type { AnswerFormat, BodyFormat, Method } from '../catalog/calls/http-request.ts'

/** A call to an API without an address and without credentials: those are of the moment at which it is sent. */
export interface UnaddressedCall {
  readonly method: Method
  /**
   * Where to: a path (already encoded, with its leading slash) to be joined to the catalog's origin and base path (an empty
   * one is the base path itself), or an absolute URL, which must lie on an origin that the catalog declares.
   */
  readonly target: { readonly path: string } | { readonly url: string }
  /** In order; names may repeat. Not yet encoded. */
  readonly query: readonly (readonly [string, string])[]
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: CallBody
  /** The answer is no JSON: one text, or bytes that are read as base64. */
  readonly answer?: AnswerFormat
  /** By which capability of the catalog: for the record of calls; the wire does not send it. */
  readonly capability?: string
  /** May the wire send it again after a failure? Reads only. */
  readonly repeatable: boolean
}

/**
 * The body of a call; `fileParts`: the parts of a multipart body that are files. Their values are bytes as base64, or
 * `{content, name}` where the file has a name.
 */
export interface CallBody {
  readonly format: BodyFormat
  readonly value: ExactJson
  /** If it is not the usual one of the format. */
  readonly contentType?: string
  readonly fileParts?: readonly string[]
}

/** One call to an API, complete but for credentials: those are the wire's business and never come further in. */
export interface WireCall extends UnaddressedCall {
  /** As this process serves it now: gives the address, and names the credentials. */
  readonly catalog: ServedCatalog
  /**
   * Asked right before each request leaves, whatever it waited for: the catalog as it is served then, or why nothing may be
   * sent.
   */
  readonly admit: () => Promise<Result<ServedCatalog>>
  /** For whom: equal repeatable calls of one principal that are under way together may share one request. */
  readonly principal?: string
}

export interface WireReply {
  readonly status: number
  /** Lowercase names; repeated headers joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON, at most 200 levels deep, with integers beyond 2^53 as their digits in text; null for an empty body. */
  readonly body: Json
  /** Bytes of the body after decompression. */
  readonly bytes: number
  /** Requests that it took (retries included). */
  readonly requests: number
}

/** Why a call has no answer. `sent`: whether the request may have reached the API. */
export interface WireFailure {
  readonly problem: Problem
  readonly sent: 'no' | 'yes' | 'unknown'
  /** The problem is that of `admit`: the request was not let go. */
  readonly isRefused?: true
  readonly status?: number
  /** The API redirects to the same address with a slash at its end, or without that. */
  readonly isSlashAway?: true
  readonly requests: number
}

/**
 * Carries a call to the API and its answer back. Promises: nothing is sent to an origin that the catalog does not
 * declare; redirects are not followed; at most `maxBytes` are read; the promise settles soon after the signal aborts; it
 * never rejects.
 */
export interface Wire {
  send(
    call: WireCall,
    limits: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly maxBytes: number },
  ): Promise<
    { readonly ok: true; readonly reply: WireReply } | { readonly ok: false; readonly failure: WireFailure }
  >
}
