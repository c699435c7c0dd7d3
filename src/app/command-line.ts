import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { resolve } from 'node:path'
import type { CliDependencies, Settings } from '../surfaces/cli/dependencies.ts'
import { say } from '../surfaces/cli/output.ts'
import { VERSION } from '../version.ts'
import { workerLink } from './workers/link.ts'

// Expensive modules are loaded only when a command needs them: help appears at once.
const worker = workerLink()
/** The dependencies of the command line: the environment and directory of this process. */
export const cliDependencies: CliDependencies = {
  version: VERSION,
  worker,
  workers: async (settings) => {
    if (worker) return { ok: true, value: undefined }
    const config = await readAgain(settings)
    if (!config.ok) return config
    const { startWorkers } = await import('./workers/start.ts')
    return startWorkers(config.value, process.argv.slice(2))
  },
  open: async (settings) => {
    const [config, { assemble }] = await Promise.all([configOf(settings), import('./assemble.ts')])
    return config.ok ? assemble(config.value, worker, () => readAgain(settings)) : config
  },
  adminStore: async (settings) => {
    const [config, { openAdminStore }] = await Promise.all([configOf(settings), import('./admin-store.ts')])
    return config.ok ? openAdminStore(config.value) : config
  },
  examine: async (settings) => {
    const [config, { examineInstallation }] = await Promise.all([
      configOf(settings),
      import('./doctor/examine.ts'),
    ])
    return config.ok ? { ok: true, value: await examineInstallation(config.value) } : config
  },
  init: async (request, settings, flags) => {
    const config = await configOf(settings)
    if (!config.ok) return config
    const [{ initHost }, { placesOf }] = await Promise.all([
      import('./hosts/init.ts'),
      import('./hosts/places.ts'),
    ])
    const main = fileURLToPath(new URL('../main.js', import.meta.url))
    // Hosts start programs with a small PATH, so that only absolute paths are sure to be found.
    return initHost(request, placesOf(), (protocol) => ({
      command: process.execPath,
      args: [main, protocol, ...flags],
    }))
  },
  catalogs: async (settings, { mayBeNew } = { mayBeNew: false }) => {
    const isNew = mayBeNew && settings.file !== undefined && !existsSync(settings.file)
    const [config, { catalogAdmin }, { ownConfigFile }] = await Promise.all([
      configOf(isNew ? { ...settings, file: undefined } : settings),
      import('./catalogs/admin.ts'),
      import('../config/read.ts'),
    ])
    if (!config.ok) return config
    const own = ownConfigFile({ flags: settings.flags, env: process.env, cwd: process.cwd() })
    const file = resolve(settings.file ?? process.env['PLASMID_CONFIG'] ?? own)
    return { ok: true, value: catalogAdmin({ config: config.value, file, cwd: process.cwd() }) }
  },
  signIn: async (settings, id, how) => {
    const [config, { signInTo }] = await Promise.all([configOf(settings), import('./sign-in.ts')])
    return config.ok ? signInTo(config.value, id, how) : config
  },
  signOut: async (settings, id) => {
    const [config, { signOutOf }] = await Promise.all([configOf(settings), import('./sign-in.ts')])
    return config.ok ? signOutOf(config.value, id) : config
  },
  checkCatalogs: async (paths) => (await import('./check-catalogs.ts')).checkCatalogs(paths),
}

/** The configuration of a command. What of a file is put out of use is named: its catalogs would be missed. */
async function configOf(settings: Settings) {
  const { ownConfigFile } = await import('../config/read.ts')
  const own = ownConfigFile({ flags: settings.flags, env: process.env, cwd: process.cwd() })
  const isLeftOut = settings.file !== undefined && resolve(settings.file) !== own && existsSync(own)
  const config = await readAgain(settings)
  if (!config.ok || worker) return config
  if (isLeftOut) say(`Settings are read from ${settings.file}; ${own} is not read.`)
  for (const { name, where, entries } of config.value.leftOut)
    say(`\`${name}\` of the configuration is not used, since ${where} gives others: ${entries.join(', ')}.`)
  return config
}

async function readAgain(settings: Settings) {
  const { readConfig } = await import('../config/read.ts')
  return readConfig({ ...settings, env: process.env, cwd: process.cwd() })
}
