import { type Command, withEngine } from '../command.ts'
import { ENGINE_FLAGS } from '../setting-flags.ts'
import { interrupted } from '../interrupted.ts'
import { answerRun, refuse } from '../output.ts'
import { badValue } from '../problems.ts'
import { placeOf, WORKSPACE_FLAG } from '../workspace.ts'

export const page: Command = {
  name: 'page',
  positionals: [{ name: 'handle', required: true, description: 'The page handle of a run: s0_pg1' }],
  flags: { limit: { value: 'ROWS', description: 'Rows at most' }, ...WORKSPACE_FLAG, ...ENGINE_FLAGS },
  run: async (given, dependencies) => {
    const limit = given.text('limit')
    if (limit !== undefined && !/^[1-9]\d{0,6}$/.test(limit))
      return refuse([badValue('--limit', 'a whole number from 1', limit)], given.on('json'))
    const more = { ...placeOf(given), ...(limit !== undefined && { limit: Number(limit) }) }
    return withEngine(given, dependencies, async ({ gateway, caller }) => {
      const reply = await gateway.page(caller, given.positionals[0] ?? '', { signal: interrupted(), ...more })
      return answerRun(reply, given.on('json'))
    })
  },
}
