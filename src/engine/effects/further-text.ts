import type { FurtherRead } from '../../execution/read/further.ts'

/** The reads that a step makes for single rows, as its line of a plan shows them: `+ 1 read per row for body, at most 2`. */
export function furtherText(reads: readonly FurtherRead[]): string {
  return reads.map(textOf).join('')
}

function textOf(read: FurtherRead): string {
  const { per, own, count, most } = read
  if (per === 'loop') return most === undefined ? '' : `; at most ${readsText(most)}`
  const reads = `; ${own ? '' : '+ '}${readsText(count)}`
  if (most === 1) return `${reads}${forNames(read)}`
  return `${reads}${perText(read)}${most === undefined ? '' : `, at most ${most}`}`
}

function readsText(count: number): string {
  return `${count} ${count === 1 ? 'read' : 'reads'}`
}

function perText(read: FurtherRead): string {
  const names = read.names.join(', ')
  switch (read.per) {
    case 'source':
    case 'loop':
      return ' per row'
    case 'parent':
      return ` per row whose answer lacks ${names}`
    case 'row':
      return ` per row${forNames(read)}`
    case 'candidate':
      return ` per row looked at${forNames(read)}`
    case 'value':
      return ` per different ${names}`
    case 'call':
      return ' per call'
  }
}

function forNames({ names }: FurtherRead): string {
  return names.length === 0 ? '' : ` for ${names.join(', ')}`
}
