import type { Result } from '../../../../base/diagnostic.ts'
import { visible } from '../../../../base/text/one-line.ts'
import { EXIT, type Exit } from '../../exit.ts'
import type { Given } from '../../flags.ts'
import { print, printJson, refuse } from '../../output.ts'

/** Prints the changes of a catalog, one line per entity, and `after` if there are any. */
export function printChanges(given: Given, id: string, changes: Result<readonly string[]>, after = ''): Exit {
  if (!changes.ok) return refuse(changes.problems, given.on('json'))
  const lines = changes.value.map(visible)
  if (given.on('json')) printJson({ entry_id: id, differences: lines })
  else print(lines.length === 0 ? 'No difference.\n' : `${lines.join('\n')}\n${after}`)
  return EXIT.ok
}
