/** The content of `{{ }}` or `{% %}` in a template. */
export interface Code {
  readonly kind: string
  readonly text: string
  /** The text with its strings emptied. */
  readonly bare: string
}

/** The code of a template, as the engine parses it. One pass. */
export function codeIn(template: string): readonly Code[] {
  const found: Code[] = []
  for (let at = template.indexOf('{'); at !== -1; at = template.indexOf('{', at)) {
    const kind = template[at + 1] ?? ''
    at += 2
    if (kind === '#') at = after(template, '#}', at)
    else if (kind === '{' || kind === '%') {
      const code = readCode(template, at, kind === '{' ? '}}' : '%}')
      found.push({ kind, text: template.slice(at, code.end), bare: code.bare })
      at = code.end + 2
    } else at -= 1
  }
  return found
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at === -1 ? text.length : at + mark.length
}

function readCode(text: string, from: number, mark: string): { readonly bare: string; readonly end: number } {
  let bare = ''
  let at = from
  while (at < text.length && !text.startsWith(mark, at)) {
    const character = text[at] ?? ''
    bare += character
    at++
    if (character !== '"' && character !== "'") continue
    while (at < text.length && text[at] !== character) at += text[at] === '\\' ? 2 : 1
    bare += character
    at++
  }
  return { bare, end: at }
}

/** The first word of a `{% %}`. */
export function statementOf({ kind, bare }: Code): string | undefined {
  return kind === '%' ? (/^[-+]?\s*(\w+)/.exec(bare)?.[1] ?? '') : undefined
}

/** `{% set name = value %}` of a value that exists: a name that is joined to itself line by line would fill the memory. */
export function setsOneValue({ bare }: Code): boolean {
  return /^[-+]?\s*set\s+\w+\s*=(?!=)[^~+]*$/.test(bare.replace(/\+$/, ''))
}

const KEYWORDS = new Set(['if', 'elif', 'else', 'in', 'not', 'and', 'or', 'is', 'for', 'set', 'recursive'])

/** The names that are called: `name(`, but no filter and no test. */
export function callsIn(bare: string): readonly string[] {
  return [...bare.matchAll(/(?<!\|\s{0,9}|\bis\s{1,9}|\bis\s{1,9}not\s{1,9})\b([A-Za-z_]\w*)\s*\(/g)]
    .map(([, name = '']) => name)
    .filter((name) => !KEYWORDS.has(name))
}

/** The content of each list and map literal; an index is not one. */
export function literalsIn(bare: string): readonly string[] {
  const found: string[] = []
  for (const { index, 0: bracket } of bare.matchAll(/[[{]/g)) {
    const before = bare.slice(0, index).trimEnd()
    const word = /[A-Za-z_]\w*$/.exec(before)?.[0]
    const isIndex = bracket === '[' && (word === undefined ? /[\])\d'"]$/.test(before) : !KEYWORDS.has(word))
    if (!isIndex) found.push(bare.slice(index + 1, closing(bare, index)))
  }
  return found
}

function closing(bare: string, from: number): number {
  let depth = 0
  for (let at = from; at < bare.length; at++) {
    if ('[{('.includes(bare[at] ?? ' ')) depth++
    else if (']})'.includes(bare[at] ?? ' ') && --depth === 0) return at
  }
  return bare.length
}
