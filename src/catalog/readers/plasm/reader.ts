import { problem } from '../../problems.ts'
import type { Abi } from '../../evm/abi.ts'
import type { Reader, SourceFile } from '../reader.ts'

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
    const abi = await abiFor(domain, mappings)
    return readPlasm({ path, id, domain, ...(mappings && { mappings }), ...(abi && { abi }) })
  },
}

/** The codec of contracts, for catalogs that read one. */
async function abiFor(...files: readonly (SourceFile | undefined)[]): Promise<Abi | undefined> {
  if (!files.some((file) => file?.text.includes('evm_'))) return undefined
  const { loadAbi } = await import('../../evm/abi.ts')
  return loadAbi(files.some((file) => /\bchain["']?\s*:\s*["']?[a-z]/i.test(file?.text ?? '')))
}
