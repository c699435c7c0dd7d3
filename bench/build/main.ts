import { chmodSync, cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepared } from '../../src/adapters/catalogs/prepared.ts'
import { settledInThisThread } from '../../src/adapters/catalogs/settled-in-this-thread.ts'
import { bundleProgram } from './program.ts'

/*
 * The last step of the build: adds to `dist` what the compiler leaves out. These are the program in few modules, the word
 * vectors, and the shipped catalogs, each with its reading beside its folder, so that no server has to read its YAML.
 */

const FROM = fileURLToPath(new URL('../../../src/', import.meta.url))
const TO = fileURLToPath(new URL('../../src/', import.meta.url))
const CATALOGS = 'adapters/catalogs/shipped'

rmSync(`${TO}${CATALOGS}`, { recursive: true, force: true })
for (const path of [CATALOGS, 'adapters/embedder/table.bin', 'adapters/embedder/NOTICE'])
  cpSync(`${FROM}${path}`, `${TO}${path}`, { recursive: true })
for (const id of readdirSync(`${FROM}${CATALOGS}`)) {
  const path = join(`${TO}${CATALOGS}`, id)
  writeFileSync(`${path}.json`, await prepared(await settledInThisThread({ path })))
}
await bundleProgram(FROM, TO)
chmodSync(`${TO}main.js`, 0o755)
