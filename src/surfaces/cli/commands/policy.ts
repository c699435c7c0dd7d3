import { readFile } from 'node:fs/promises'
import { reasonOf } from '../../../base/errors.ts'
import { failed, ok } from '../../../base/diagnostic.ts'
import type { Command } from '../command.ts'
import { withAdminStore } from '../admin-store.ts'
import { ADMIN_FLAGS } from '../setting-flags.ts'
import { refuse } from '../output.ts'
import { cliProblem } from '../problems.ts'

export const policySet: Command = {
  name: 'policy set',
  positionals: [{ name: 'file', required: true, description: 'A YAML or JSON file that grants rights' }],
  flags: ADMIN_FLAGS,
  run: async (given, dependencies) => {
    const [path = ''] = given.positionals
    const text = await readFile(path, 'utf8').catch((error: unknown) =>
      failed([cliProblem('unreadable_file', { path, reason: reasonOf(error) })]),
    )
    if (typeof text !== 'string') return refuse(text.problems, given.on('json'))
    return withAdminStore(
      given,
      dependencies,
      async ({ policy }) => {
        const set = await policy.set(text, path)
        return set.ok ? ok({ file: path }) : set
      },
      () => `${path} holds on every node from its next call on.\n`,
    )
  },
}

export const policyShow: Command = {
  name: 'policy show',
  flags: ADMIN_FLAGS,
  run: (given, dependencies) =>
    withAdminStore(
      given,
      dependencies,
      async ({ policy }) => ok({ policy: (await policy.show()) ?? null }),
      ({ policy }) => policy ?? 'No policy.\n',
    ),
}
