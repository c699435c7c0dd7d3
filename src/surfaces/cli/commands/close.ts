import { type Command, withEngine } from '../command.ts'
import { ENGINE_FLAGS } from '../setting-flags.ts'
import { answer } from '../output.ts'

export const close: Command = {
  name: 'close',
  positionals: [{ name: 'ref', required: true, description: 's0 or l_…' }],
  flags: ENGINE_FLAGS,
  run: (given, dependencies) =>
    withEngine(given, dependencies, async ({ gateway, caller }) =>
      answer(await gateway.close(caller, given.positionals[0] ?? ''), given.on('json'), ({ facts }) => facts),
    ),
}
