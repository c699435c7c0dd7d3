import { toDiscoverBody } from '../../bodies/bodies.ts'
import { type Command, withEngine } from '../command.ts'
import { ENGINE_FLAGS } from '../setting-flags.ts'
import { answer } from '../output.ts'
import { placeOf, WORKSPACE_FLAG } from '../workspace.ts'

export const discover: Command = {
  name: 'discover',
  description: 'Find the APIs and entities that fit a goal (discover_capabilities)',
  positionals: [{ name: 'intent', required: true, description: 'The goal as one sentence' }],
  flags: { ...WORKSPACE_FLAG, ...ENGINE_FLAGS },
  run: (given, dependencies) =>
    withEngine(given, dependencies, async ({ gateway, caller }) =>
      answer(
        await gateway.discover(caller, { intent: given.positionals[0] }, placeOf(given)),
        given.on('json'),
        toDiscoverBody,
      ),
    ),
}
