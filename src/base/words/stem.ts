/**
 * Removes English endings, so that `categories` and `category`, `pricing` and `price`, `evolution` and `evolve` match.
 * Approximate; applied to both the index and the query.
 */
export function stem(word: string): string {
  let root = singular(word)
  if (root.length > 7 && root.endsWith('olution')) root = `${root.slice(0, -5)}v`
  else if (root.length > 7 && root.endsWith('ment')) root = root.slice(0, -4)
  else if (root.length > 7 && root.endsWith('ness')) root = root.slice(0, -4)
  else if (root.length > 7 && /[st]ion$/.test(root)) root = root.slice(0, -3)
  else if (root.length > 6 && /[dklntw]er$/.test(root)) root = root.slice(0, -2)
  else if (root.length > 5 && root.endsWith('ing')) root = undouble(root.slice(0, -3))
  else if (root.length > 4 && /[^e]ed$/.test(root)) root = undouble(root.slice(0, -2))
  return root.length > 3 && root.endsWith('e') ? root.slice(0, -1) : root
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 4 && /(?:ss|us|x|ch|sh|z)es$/.test(word)) return word.slice(0, -2)
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word
}

function undouble(root: string): string {
  return /([bdgmnprt])\1$/.test(root) ? root.slice(0, -1) : root
}
