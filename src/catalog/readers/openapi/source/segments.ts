import type { Segment } from './operation.ts'

/**
 * The parts of a path template, without a slash at its end: `/a/{b}.json`, `/compare/{base}...{head}` and
 * `/v1/{name=topics/*}:publish` included.
 */
export function segmentsOf(path: string): readonly Segment[] {
  const [plain = ''] = path.split(/[?#]/)
  // A slash inside braces belongs to the form of a variable.
  const parts = plain.split(/\/(?![^{}]*\})/)
  const inner = parts.slice(parts[0] === '' ? 1 : 0)
  if (inner.length > 1 && inner.at(-1) === '') inner.pop()
  return inner.flatMap((part) => partsOf(part))
}

function partsOf(part: string): readonly Segment[] {
  const found: Segment[] = []
  const pieces = part.split(/\{([^{}]*)\}/)
  for (const [index, piece] of pieces.entries()) {
    const glued = found.length > 0
    if (index % 2 === 1) {
      found.push({ kind: 'variable', suffix: '', glued, ...variableOf(piece) })
      continue
    }
    const last = found.at(-1)
    if (piece === '') continue
    // `:publish` after a variable is a method.
    if (last?.kind === 'variable' && !piece.startsWith(':'))
      found[found.length - 1] = { ...last, suffix: piece }
    else found.push({ kind: 'literal', text: piece, glued })
  }
  return found.length > 0 ? found : [{ kind: 'literal', text: part, glued: false }]
}

/** `{+name}`, `{name=**}` and `{name=projects/*}` stand for several segments; the last says of which form. */
function variableOf(written: string): { readonly name: string; readonly pattern?: string } {
  const [, plus = '', name = '', form = ''] = /^(\+?)([^=*]*)=?(.*)$/.exec(written.trim()) ?? []
  const pattern = form.replaceAll('**', '*')
  const isPath = plus !== '' || form === '**' || pattern.includes('/')
  return { name: name.trim(), ...(isPath && { pattern: pattern === '*' ? '' : pattern }) }
}
