#!/usr/bin/env node
import { runCli } from './surfaces/cli/main-command.ts'
import type { Outfit } from './surfaces/cli/outfit.ts'
import { VERSION } from './version.ts'

// Whatever is costly to load waits until a command asks for it: help appears at once.
const outfit: Outfit = {
  version: VERSION,
  open: async (settings) => {
    const [{ readConfig }, { assemble }] = await Promise.all([
      import('./config/read.ts'),
      import('./app/assemble.ts'),
    ])
    const config = readConfig({ ...settings, env: process.env, cwd: process.cwd() })
    return config.ok ? assemble(config.value) : config
  },
  desk: async (settings) => {
    const [{ readConfig }, { openDesk }] = await Promise.all([
      import('./config/read.ts'),
      import('./app/desk.ts'),
    ])
    const config = readConfig({ ...settings, env: process.env, cwd: process.cwd() })
    return config.ok ? openDesk(config.value) : config
  },
  examine: async (settings) => {
    const [{ readConfig }, { examineHouse }] = await Promise.all([
      import('./config/read.ts'),
      import('./app/examine.ts'),
    ])
    const config = readConfig({ ...settings, env: process.env, cwd: process.cwd() })
    return config.ok ? { ok: true, value: await examineHouse(config.value) } : config
  },
  checkCatalogs: async (paths) => (await import('./app/check-catalogs.ts')).checkCatalogs(paths),
}

// Who stops reading what is printed is no failure of ours.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const code = await runCli(process.argv.slice(2), outfit)
// Pipes may still hold what was printed; connections to APIs that are kept for reuse must not keep the process alive.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))),
)
process.exit(code)
