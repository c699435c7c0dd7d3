import type { Problem } from '../../../base/diagnostic.ts'
import { nearest } from '../../../base/suggest.ts'
import { problem } from '../../problems.ts'

/** More problems are of no use; a hostile file could cause millions. */
const MOST = 500

/** The problems of a catalog, collected while it is read. */
export class Notes {
  readonly errors: Problem[] = []
  readonly warnings: Problem[] = []

  error(found: Problem): void {
    add(this.errors, found)
  }

  warn(found: Problem): void {
    add(this.warnings, found)
  }

  /** The nearest correct names, while there is room for more problems. */
  nearest(wrong: string, options: Iterable<string>): string[] {
    return this.errors.length > MOST || this.warnings.length > MOST ? [] : nearest(wrong, options)
  }
}

function add(list: Problem[], found: Problem): void {
  if (list.length < MOST) list.push(found)
  else if (list.length === MOST) list.push(problem('too_many_problems', { most: MOST }))
}
