import { once } from 'node:events'
import { type Command, withServer } from '../command.ts'
import { ENGINE_FLAGS } from '../setting-flags.ts'
import { interrupted } from '../interrupted.ts'
import { EXIT } from '../exit.ts'

export const acp: Command = {
  name: 'acp',
  flags: ENGINE_FLAGS,
  run: (given, dependencies) =>
    withServer(given, dependencies, async (engine) => {
      const stop = interrupted()
      const connection = await engine.acpOverStdio()
      const isRegular = await Promise.race([connection.ended(), once(stop, 'abort').then(() => true)])
      await connection.close()
      return isRegular ? EXIT.ok : EXIT.problem
    }),
}
