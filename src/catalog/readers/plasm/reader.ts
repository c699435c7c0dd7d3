import { problem } from '../../problems.ts'
import type { Reader } from '../reader.ts'

const FILES = ['domain.yaml', 'mappings.yaml']

/** Catalogs in the Plasm format: two files in a folder, or both in one file. */
export const plasm: Reader = {
  accepts: 'a folder with domain.yaml and mappings.yaml, or one .yaml file',
  inFolder: (names) => (FILES.some((name) => names.includes(name)) ? FILES : undefined),
  isFile: (name) => /\.ya?ml$/i.test(name),
  idOf: (name) => name.replace(/(?:\.cgs)?\.ya?ml$/i, ''),
  hint: (name) => (/\.json$/i.test(name) ? problem('catalog_is_json', { path: name }) : undefined),
  read: async ({ path, id, files: [domain, mappings] }) => {
    const { readPlasm } = await import('./read.ts')
    return readPlasm({ path, id, domain, ...(mappings && { mappings }) })
  },
}
