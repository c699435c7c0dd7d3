import { once } from 'node:events'
import { type Command, withEngine } from '../command.ts'
import { ENGINE_FLAGS } from '../setting-flags.ts'
import { interrupted } from '../interrupted.ts'
import { EXIT } from '../output.ts'

export const mcp: Command = {
  name: 'mcp',
  description: 'Serve MCP over standard input and output',
  flags: ENGINE_FLAGS,
  run: (given, dependencies) =>
    withEngine(given, dependencies, async (engine) => {
      const stop = interrupted()
      const connection = await engine.mcpOverStdio()
      // The SDK closes the connection at the end of input, without notice.
      const events = [once(process.stdin, 'end'), once(process.stdin, 'close'), once(stop, 'abort')]
      await Promise.race(events.map((event) => event.catch(() => undefined)))
      await connection.close()
      return EXIT.ok
    }),
}
