import { SURFACES } from '../../../access/surface.ts'
import { ok } from '../../../base/diagnostic.ts'
import type { Command } from '../command.ts'
import { withAdminStore } from '../admin-store.ts'
import { ADMIN_FLAGS } from '../setting-flags.ts'
import type { KeyInfo } from '../dependencies.ts'
import { say } from '../output.ts'

export const keysAdd: Command = {
  name: 'keys add',
  flags: {
    subject: { value: 'NAME', required: true, description: 'The subject that the key authenticates' },
    tenant: { value: 'NAME', description: 'The tenant of the subject (default: none)' },
    expires: {
      value: 'TIME',
      description: '90d, 12h, 30m, 2030-01-31 or 2030-01-31T00:00:00Z (default: never)',
    },
    only: {
      value: SURFACES.join('|'),
      repeatable: true,
      description: 'The only use of the key: MCP, the HTTP API, or to approve plans (default: all)',
    },
    ...ADMIN_FLAGS,
  },
  run: (given, dependencies) =>
    withAdminStore(
      given,
      dependencies,
      ({ keys }) =>
        keys.add({
          subject: given.text('subject') ?? '',
          tenant: given.text('tenant'),
          expires: given.text('expires'),
          only: given.texts('only'),
        }),
      (made) => {
        say(`Key ${keyLine(made)}. It is shown only this once:`)
        return `${made.key}\n`
      },
    ),
}

export const keysList: Command = {
  name: 'keys list',
  flags: ADMIN_FLAGS,
  run: (given, dependencies) =>
    withAdminStore(
      given,
      dependencies,
      async ({ keys }) => {
        const all = await keys.list()
        return all.ok ? ok({ keys: all.value }) : all
      },
      ({ keys: all }) => (all.length === 0 ? 'No keys.\n' : all.map((key) => `${keyLine(key)}\n`).join('')),
    ),
}

export const keysRevoke: Command = {
  name: 'keys revoke',
  positionals: [{ name: 'id', required: true, description: 'The id of the key, as `keys list` shows it' }],
  flags: ADMIN_FLAGS,
  run: (given, dependencies) =>
    withAdminStore(
      given,
      dependencies,
      ({ keys }) => keys.revoke(given.positionals[0] ?? ''),
      (key) => `Revoked ${keyLine(key)}.\n`,
    ),
}

/** JSON's escapes keep a name on its line, whatever it holds. */
function keyLine({ id, tenant, subject, created_at: from, expires_at: until, only }: KeyInfo): string {
  const who = `${JSON.stringify(subject)}${tenant === undefined ? '' : ` of ${JSON.stringify(tenant)}`}`
  const limit = only ? ` only ${only.join(', ')}` : ''
  return `${id} ${who}${limit} from ${from} ${until === undefined ? 'without end' : `until ${until}`}`
}
