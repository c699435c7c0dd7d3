import { readdirSync, rmSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'

const CHUNKS = 'chunks'

/**
 * Writes the program of the command line as few modules: finding and loading five hundred files takes a third of the time in
 * which a server starts. Packages are loaded as they are installed, and threads from the modules that the compiler wrote.
 *
 * @param from the sources
 * @param to the compiled modules, which lie as the sources do
 */
export async function bundleProgram(from: string, to: string): Promise<void> {
  const bundle = await rolldown({
    input: resolve(from, 'main.ts'),
    platform: 'node',
    external: (id) => !/^[./]/.test(id),
    plugins: [ownAddresses(from)],
  })
  const { output } = await bundle.write({
    dir: to,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${CHUNKS}/[name]-[hash].js`,
  })
  const written = new Set(output.map(({ fileName }) => fileName))
  for (const name of readdirSync(resolve(to, CHUNKS)))
    if (!written.has(`${CHUNKS}/${name}`)) rmSync(resolve(to, CHUNKS, name))
}

/** Stands for the folder of the compiled modules, until it is known where a chunk lies. */
const COMPILED = 'compiled:/'

/** Files that a module finds beside itself are found beside the compiled module. */
function ownAddresses(from: string): Plugin {
  return {
    name: 'own-addresses',
    transform: (code, id) => {
      if (!code.includes('import.meta.url')) return null
      const compiled = `${COMPILED}${relative(from, id).replace(/\.ts$/, '.js')}`
      const address = `new URL(${JSON.stringify(compiled)}, import.meta.url).href`
      return { code: code.replaceAll('import.meta.url', address), map: null }
    },
    renderChunk: (code, { fileName }) => ({
      code: code.replaceAll(COMPILED, fileName.startsWith(`${CHUNKS}/`) ? '../' : './'),
      map: null,
    }),
  }
}
