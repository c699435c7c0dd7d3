import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { licensesOf } from './licenses.ts'

const CHUNKS = 'chunks'
const LICENSES = 'licenses.txt'

/** Packages that become part of the program: two of many modules that most commands load, and those that load them too. */
const BUNDLED = [
  '@agentclientprotocol/sdk',
  '@hono/zod-openapi',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
  'yaml',
  'zod',
]

const { resolve: pathOf } = createRequire(import.meta.url)

/**
 * Writes the program of the command line as few modules: finding and loading hundreds of files takes half of the time in
 * which a server starts. Other packages are loaded as they are installed, and threads from the modules that the compiler wrote.
 *
 * @param from the sources
 * @param to the compiled modules, which lie as the sources do
 */
export async function bundleProgram(from: string, to: string): Promise<void> {
  const bundle = await rolldown({
    input: resolve(from, 'main.ts'),
    platform: 'node',
    // For Node the package names CommonJS modules, which cannot be merged.
    resolve: { alias: { yaml: join(dirname(pathOf('yaml/package.json')), 'browser/index.js') } },
    external: isExternal(),
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
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  writeFileSync(resolve(to, LICENSES), licensesOf(modules))
}

/** What is installed beside the program. What only a bundled package depends on may lie where the program cannot find it. */
function isExternal(): (id: string) => boolean {
  const manifest: Readonly<Record<'dependencies' | 'peerDependencies', Readonly<Record<string, string>>>> =
    JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  const installed = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))
  for (const name of BUNDLED) installed.delete(name)
  return (id) => isBuiltin(id) || installed.has(/^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? '')
}

/** Stands for the folder of the compiled modules, until it is known where a chunk lies. */
const COMPILED = 'compiled:/'

/** Files that a module of ours finds beside itself are found beside the compiled module. */
function ownAddresses(from: string): Plugin {
  return {
    name: 'own-addresses',
    transform: (code, id) => {
      if (!id.startsWith(from) || !code.includes('import.meta.url')) return null
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
