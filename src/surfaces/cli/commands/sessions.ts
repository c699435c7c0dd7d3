import { toSessionsBody } from '../../bodies/bodies.ts'
import { type Command, withEngine } from '../command.ts'
import { ENGINE_FLAGS } from '../setting-flags.ts'
import { answer } from '../output.ts'

export const sessions: Command = {
  name: 'sessions',
  flags: ENGINE_FLAGS,
  run: (given, dependencies) =>
    withEngine(given, dependencies, async ({ gateway, caller }) =>
      answer(await gateway.sessions(caller), given.on('json'), ({ facts }) => toSessionsBody(facts)),
    ),
}
