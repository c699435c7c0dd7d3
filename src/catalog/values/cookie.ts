/** Percent-encoded if it has characters that RFC 6265 does not allow in a cookie: a semicolon would begin another one. */
export function cookieValue(text: string): string {
  return /^[\x21\x23-\x2B\x2D-\x3A\x3C-\x5B\x5D-\x7E]*$/.test(text)
    ? text
    : encodeURIComponent(text.toWellFormed())
}
