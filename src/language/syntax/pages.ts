import type { Program } from './tree.ts'

/** The page handles that a program names, as it writes them, in the order of the program. */
export function pagesIn(program: Program): readonly string[] {
  const handles: string[] = []
  collect(program, handles)
  return handles
}

function collect(part: unknown, handles: string[]): void {
  if (typeof part !== 'object' || part === null) return
  if (isPage(part)) handles.push(part.handle.text)
  for (const inner of Object.values(part)) collect(inner, handles)
}

function isPage(part: object): part is { readonly handle: { readonly text: string } } {
  if (!('kind' in part) || part.kind !== 'page' || !('handle' in part)) return false
  const { handle } = part
  return typeof handle === 'object' && handle !== null && 'text' in handle && typeof handle.text === 'string'
}
