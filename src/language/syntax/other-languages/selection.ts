/** What a selection is made of. It ends with a brace: most text ends otherwise, and is not divided. */
const SELECTION = /^[\w\s,{}]*\}[\s,]*$/
const TOKENS = /[A-Za-z_]\w*|[{},]|\s+|[^]/g

/** The fields of a GraphQL selection, `{ title user { login } }`, as columns: `title`, `user.login`. Undefined for anything else. */
export function selectionAsColumns(text: string): readonly string[] | undefined {
  if (!SELECTION.test(text)) return undefined
  const tokens = text.match(TOKENS)?.filter((token) => token !== ',' && token.trim() !== '') ?? []
  const columns: string[] = []
  const outer: string[] = []
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1]
    if (/^\w/.test(token)) {
      if (next === '{') outer.push(token)
      else columns.push([...outer, token].join('.'))
    } else if (token === '}') {
      const isLast = next === undefined
      if ((outer.pop() === undefined) !== isLast) return undefined
    } else if (token !== '{' || (at > 0 && !/^\w/.test(tokens[at - 1] ?? ''))) return undefined
  }
  return columns.length > 0 ? columns : undefined
}
