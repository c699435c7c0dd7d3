import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { type Command, withServer } from '../command.ts'
import { ENGINE_FLAGS } from '../setting-flags.ts'
import { interrupted } from '../interrupted.ts'
import { EXIT } from '../exit.ts'
import { GRACE_MS } from '../grace.ts'

export const mcp: Command = {
  name: 'mcp',
  flags: ENGINE_FLAGS,
  run: (given, dependencies) =>
    withServer(given, dependencies, async (engine) => {
      const stop = interrupted()
      const connection = await engine.mcpOverStdio()
      const ended = connection.ended()
      await Promise.race([ended, once(stop, 'abort')])
      if (stop.aborted) {
        connection.drain()
        await Promise.race([ended, setTimeout(GRACE_MS)])
      }
      const isRegular = stop.aborted || (await ended)
      await connection.close()
      return isRegular ? EXIT.ok : EXIT.problem
    }),
}
