import { snake } from '../../../../base/words/names.ts'
import { isName } from '../../name.ts'
import { problem } from '../../../problems.ts'
import type { Notes } from '../../document/notes.ts'
import type { Spot } from '../../document/tree.ts'

/** Whether the text can be a name; notes an error if not. */
export function checkName(name: string, where: string, at: Spot, notes: Notes): boolean {
  if (isName(name)) return true
  notes.error(problem('bad_name', { where, name: name.slice(0, 200) }, at))
  return false
}

/**
 * The labels of an entity's capabilities: the id without the entity's name (`issuecomment_` or `issue_comment_`), with `-`
 * for `_`. If two would be the same, both keep their longer spelling.
 */
export function labelsOf(entity: string, capabilities: readonly string[]): ReadonlyMap<string, string> {
  const prefixes = [`${entity.toLowerCase()}_`, `${snake(entity)}_`]
  const short = (id: string) => {
    const prefix = prefixes.find((start) => id.startsWith(start) && id.length > start.length)
    return dashed(prefix === undefined ? id : id.slice(prefix.length))
  }
  const shortOnes = countOf(capabilities.map(short))
  const long = (id: string) => ((shortOnes.get(short(id)) ?? 0) > 1 ? dashed(id) : short(id))
  const longOnes = countOf(capabilities.map(long))
  return new Map(capabilities.map((id) => [id, (longOnes.get(long(id)) ?? 0) > 1 ? id : long(id)]))
}

function dashed(id: string): string {
  return id.replaceAll('_', '-')
}

function countOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
