import { type Command, withEngine } from '../command.ts'
import { ENGINE_FLAGS } from '../flags.ts'
import { answer, EXIT, refuse } from '../output.ts'
import { PROGRAM_FLAGS, PROGRAM_POSITIONAL, readProgram } from '../program.ts'
import { interrupted } from '../interrupted.ts'

export const run: Command = {
  name: 'run',
  description: 'Run a program (plasm_run)',
  positionals: [PROGRAM_POSITIONAL],
  flags: {
    ...PROGRAM_FLAGS,
    plan: { value: 'PLAN', description: 'The reviewed plan of a program that writes: pc1' },
    ...ENGINE_FLAGS,
  },
  run: async (given, outfit) => {
    const program = await readProgram(given, 'run')
    if (!program.ok) return refuse(program.problems, given.on('json'), EXIT.usage)
    const input = { logical_session_ref: given.text('ref'), program: program.value, plan: given.text('plan') }
    return withEngine(given, outfit, async ({ gateway, caller }) =>
      answer(await gateway.run(caller, input, { signal: interrupted() }), given.on('json')),
    )
  },
}
