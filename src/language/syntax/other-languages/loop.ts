/** Longer loops are not translated. */
const LONGEST = 1000
const LOOP = [
  // Python, on one line or two.
  /^for[ \t]+([A-Za-z_]\w*)[ \t]+in[ \t]+([^\n]+?)[ \t]*:(?:[ \t]*\n[ \t]+|[ \t]+)([^\n]+)(?!\n[ \t])/,
  // JavaScript.
  /^for[ \t]*\([ \t]*(?:const|let|var)[ \t]+([A-Za-z_]\w*)[ \t]+of[ \t]+([^\n]+?)\)[ \t]*\{\s*([^\n{}]+?);?\s*\}/,
]

/** `for x in rows:` with one call of each row as `rows => _.call()`; undefined for loops that have no such form. */
export function loopAsEach(text: string): { readonly written: string; readonly each: string } | undefined {
  for (const form of LOOP) {
    const [written = '', row = '', rows = '', body = ''] = form.exec(text.slice(0, LONGEST)) ?? []
    const own = new RegExp(`\\b${row}\\b`, 'g')
    if (written !== '' && own.test(body))
      return { written, each: `${rows} => ${body.trim().replace(own, '_')}` }
  }
  return undefined
}
