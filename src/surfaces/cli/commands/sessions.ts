import type { Command } from '../command.ts'
import { ENGINE_FLAGS, withEngine } from '../command.ts'
import { answer } from '../output.ts'

export const sessions: Command = {
  name: 'sessions',
  description: 'List your sessions',
  flags: ENGINE_FLAGS,
  run: (given, outfit) =>
    withEngine(given, outfit, async ({ gateway, caller }) =>
      answer(await gateway.sessions(caller), given.on('json')),
    ),
}
