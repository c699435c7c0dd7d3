import type { Segment } from './operation.ts'

/** The parts of a path template, without a slash at its end: `/a/{b}.json` and `/compare/{base}...{head}` included. */
export function segmentsOf(path: string): readonly Segment[] {
  const [plain = ''] = path.split(/[?#]/)
  const parts = plain.split('/')
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
      found.push({ kind: 'variable', name: nameOf(piece), suffix: '', glued })
      continue
    }
    const last = found.at(-1)
    if (piece === '') continue
    if (last?.kind === 'variable') found[found.length - 1] = { ...last, suffix: piece }
    else found.push({ kind: 'literal', text: piece, glued })
  }
  return found.length > 0 ? found : [{ kind: 'literal', text: part, glued: false }]
}

/** `{+name}` and `{name=projects/*}` are written by some generators. */
function nameOf(written: string): string {
  return written
    .replace(/^\+/, '')
    .replace(/[=*].*$/, '')
    .trim()
}
