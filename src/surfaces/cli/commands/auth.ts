import type { Command } from '../command.ts'
import { EXIT } from '../exit.ts'
import { print, printJson, refuse, say } from '../output.ts'
import { badValue } from '../problems.ts'
import { ENGINE_FLAGS, settingsOf } from '../setting-flags.ts'

const CATALOG = { name: 'id', required: true, description: 'The id of the catalog' } as const
/** A person signs in within this time. */
const MAX_MINUTES = 10

export const authLogin: Command = {
  name: 'auth login',
  positionals: [CATALOG],
  flags: {
    port: { value: 'PORT', description: 'The port of the redirect on 127.0.0.1 (default: any free one)' },
    ...ENGINE_FLAGS,
  },
  run: async (given, dependencies) => {
    const [id = ''] = given.positionals
    const port = given.text('port') ?? '0'
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
      return refuse([badValue('--port', 'a whole number from 0 to 65535', port)], given.on('json'))
    const signed = await dependencies.signIn(settingsOf(given), id, {
      show: (url) => say(`Sign in at ${url}`),
      port: Number(port),
      signal: AbortSignal.timeout(MAX_MINUTES * 60_000),
    })
    if (!signed.ok) return refuse(signed.problems, given.on('json'))
    if (given.on('json')) printJson({ entry_id: id })
    else print(`Signed in to ${id}.\n`)
    return EXIT.ok
  },
}

export const authLogout: Command = {
  name: 'auth logout',
  positionals: [CATALOG],
  flags: ENGINE_FLAGS,
  run: async (given, dependencies) => {
    const [id = ''] = given.positionals
    const done = await dependencies.signOut(settingsOf(given), id)
    if (!done.ok) return refuse(done.problems, given.on('json'))
    if (given.on('json')) printJson({ entry_id: id, was_signed_in: done.value })
    else print(done.value ? `Signed out of ${id}.\n` : `There was no login to ${id}.\n`)
    return EXIT.ok
  },
}
