import { seedIn } from '../../../engine/index.ts'
import { toContextBody } from '../../bodies/bodies.ts'
import { type Command, withEngine } from '../command.ts'
import { ENGINE_FLAGS } from '../setting-flags.ts'
import { badValue } from '../problems.ts'
import { answer, refuse } from '../output.ts'
import { notesInCommands } from '../wording.ts'
import { placeOf, WORKSPACE_FLAG } from '../workspace.ts'

export const context: Command = {
  name: 'context',
  flags: {
    intent: { value: 'TEXT', description: 'The goal of the session: the same text is the same session' },
    ref: { value: 'REF', description: 'An existing session: s0 or l_…' },
    seed: { value: 'API:ENTITY', repeatable: true, description: 'An entity to teach' },
    have: { value: 'SYMBOL', description: 'The last e# whose rows you still have, or none' },
    'fork-of': { value: 'REF', description: 'Start with the entities of another session' },
    ...WORKSPACE_FLAG,
    ...ENGINE_FLAGS,
  },
  run: async (given, dependencies) => {
    const seeds = given.texts('seed').map((text) => seedIn(text) ?? text)
    const wrong = seeds.find((seed) => typeof seed === 'string')
    if (typeof wrong === 'string') return refuse([badValue('--seed', 'API:ENTITY', wrong)], given.on('json'))
    const input = {
      intent: given.text('intent'),
      logical_session_ref: given.text('ref'),
      seeds: given.on('seed') ? seeds : undefined,
      have: given.text('have'),
      fork_of: given.text('fork-of'),
    }
    return withEngine(given, dependencies, async ({ gateway, caller }) =>
      answer(await gateway.context(caller, input, placeOf(given)), given.on('json'), toContextBody, {
        inWords: notesInCommands,
      }),
    )
  },
}
