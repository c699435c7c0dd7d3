import type { Target } from '../model/checked.ts'

/** A relation whose row is part of its parent's answer. */
export function isEmbedded({ entity }: Target, wire: string): boolean {
  return entity.relations.some(({ name, many, via }) => name === wire && !many && via.kind === 'embedded')
}
