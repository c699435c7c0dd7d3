import type { Outfit } from '../surfaces/cli/outfit.ts'
import { VERSION } from '../version.ts'

/** What commands need of the rest. A command loads it when it runs, so that help appears at once. */
export const outfit: Outfit = {
  version: VERSION,
  open: async (settings) => {
    const [{ readConfig }, { assemble }] = await Promise.all([
      import('../config/read.ts'),
      import('./assemble.ts'),
    ])
    const config = readConfig({ ...settings, env: process.env, cwd: process.cwd() })
    return config.ok ? assemble(config.value) : config
  },
  desk: async (settings) => {
    const [{ readConfig }, { openDesk }] = await Promise.all([
      import('../config/read.ts'),
      import('./desk.ts'),
    ])
    const config = readConfig({ ...settings, env: process.env, cwd: process.cwd() })
    return config.ok ? openDesk(config.value) : config
  },
  examine: async (settings) => {
    const [{ readConfig }, { examineHouse }] = await Promise.all([
      import('../config/read.ts'),
      import('./examine.ts'),
    ])
    const config = readConfig({ ...settings, env: process.env, cwd: process.cwd() })
    return config.ok ? { ok: true, value: await examineHouse(config.value) } : config
  },
  checkCatalogs: async (paths) => (await import('./check-catalogs.ts')).checkCatalogs(paths),
}
