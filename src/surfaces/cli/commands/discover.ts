import { toDiscoverBody } from '../../bodies/bodies.ts'
import { type Command, withEngine } from '../command.ts'
import { ENGINE_FLAGS } from '../setting-flags.ts'
import { answer, refuse } from '../output.ts'
import { notesInCommands } from '../wording.ts'
import { cliProblem } from '../problems.ts'
import { placeOf, WORKSPACE_FLAG } from '../workspace.ts'

export const discover: Command = {
  name: 'discover',
  positionals: [{ name: 'intent', description: 'The goal as one sentence' }],
  flags: {
    intent: { value: 'TEXT', description: 'The goal, instead of the argument' },
    ...WORKSPACE_FLAG,
    ...ENGINE_FLAGS,
  },
  run: async (given, dependencies) => {
    const [argument] = given.positionals
    const flag = given.text('intent')
    if (argument !== undefined && flag !== undefined)
      return refuse([cliProblem('given_twice', { what: 'goal', flag: '--intent' })], given.on('json'))
    const intent = argument ?? flag
    if (intent === undefined)
      return refuse(
        [cliProblem('missing_operand', { command: 'discover', name: '<intent>' })],
        given.on('json'),
      )
    return withEngine(given, dependencies, async ({ gateway, caller }) =>
      answer(await gateway.discover(caller, { intent }, placeOf(given)), given.on('json'), toDiscoverBody, {
        inWords: notesInCommands,
      }),
    )
  },
}
