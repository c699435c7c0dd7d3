import type { OpenEngine } from '../dependencies.ts'
import { type Command, withEngine } from '../command.ts'
import { agrees } from '../confirm.ts'
import type { Given } from '../flags.ts'
import { ENGINE_FLAGS } from '../setting-flags.ts'
import { answerRun, refuse } from '../output.ts'
import { PROGRAM_FLAGS, PROGRAM_POSITIONAL, readProgram } from '../program.ts'
import { interrupted } from '../interrupted.ts'
import { placeOf, WORKSPACE_FLAG } from '../workspace.ts'

export const run: Command = {
  name: 'run',
  positionals: [PROGRAM_POSITIONAL],
  flags: {
    ...PROGRAM_FLAGS,
    plan: { value: 'PLAN', description: 'The reviewed plan of a program that writes: pc1' },
    yes: { short: 'y', description: 'Confirm the plan without a prompt' },
    ...WORKSPACE_FLAG,
    ...ENGINE_FLAGS,
  },
  run: async (given, dependencies) => {
    const program = await readProgram(given, 'run')
    if (!program.ok) return refuse(program.problems, given.on('json'))
    const input = { logical_session_ref: given.text('ref'), program: program.value, plan: given.text('plan') }
    return withEngine(given, dependencies, async (engine) => {
      const reply = await confirmedRun(given, engine, input, interrupted())
      return answerRun(reply, given.on('json'))
    })
  },
}

/** Runs it; where a person has to agree first, asks the one at the terminal and runs it again with that word. */
async function confirmedRun(
  given: Given,
  { gateway, caller }: OpenEngine,
  input: object,
  signal: AbortSignal,
) {
  const options = { signal, ...placeOf(given) }
  const reply = await gateway.run(caller, input, options)
  if (reply.ok || !reply.confirm) return reply
  const { review, code } = reply.confirm
  const isAgreed = given.on('yes') || (await agrees(review, signal))
  return isAgreed ? gateway.run(caller, input, { ...options, confirmed: code }) : reply
}
