/** The start of an introspection result, as a server answers or with keys of our own before it. */
const INTROSPECTION = /^\s*\{[^[]{0,4000}"__schema"\s*:/

/** Whether a text is the result of an introspection query. */
export function isIntrospection(text: string): boolean {
  return INTROSPECTION.test(text.slice(0, 5000))
}
