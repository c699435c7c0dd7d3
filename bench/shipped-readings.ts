import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepared } from '../src/adapters/catalogs/prepared.ts'
import { settledInThisThread } from '../src/adapters/catalogs/settled-in-this-thread.ts'

/* A step of the build: writes the reading of each shipped catalog beside its folder, so that no server has to read it. */

const home = fileURLToPath(new URL('../src/adapters/catalogs/shipped/', import.meta.url))
for (const entry of readdirSync(home, { withFileTypes: true })) {
  if (!entry.isDirectory()) continue
  const path = join(home, entry.name)
  writeFileSync(`${path}.json`, await prepared(await settledInThisThread({ path })))
}
