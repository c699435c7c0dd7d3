/** Names appear in programs, tables and messages: no spaces, quotes or control characters. */
const NAME = /^(?!__proto__$)[\p{L}\p{N}_$@.:/-]{1,128}$/u

/** Whether the text can be the name of a part of a catalog. */
export function isName(text: string): boolean {
  return NAME.test(text)
}
