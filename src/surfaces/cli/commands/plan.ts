import { toPlanBody } from '../../bodies/bodies.ts'
import { type Command, withEngine } from '../command.ts'
import { ENGINE_FLAGS } from '../setting-flags.ts'
import { answer, refuse } from '../output.ts'
import { notesInCommands } from '../wording.ts'
import { PROGRAM_FLAGS, PROGRAM_POSITIONAL, readProgram } from '../program.ts'
import { placeOf, WORKSPACE_FLAG } from '../workspace.ts'

export const plan: Command = {
  name: 'plan',
  positionals: [PROGRAM_POSITIONAL],
  flags: { ...PROGRAM_FLAGS, ...WORKSPACE_FLAG, ...ENGINE_FLAGS },
  run: async (given, dependencies) => {
    const program = await readProgram(given, 'plan')
    if (!program.ok) return refuse(program.problems, given.on('json'))
    const input = { logical_session_ref: given.text('ref'), program: program.value }
    return withEngine(given, dependencies, async ({ gateway, caller }) =>
      answer(await gateway.plan(caller, input, placeOf(given)), given.on('json'), toPlanBody, {
        inWords: notesInCommands,
      }),
    )
  },
}
