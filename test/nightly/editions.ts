import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PLASMID } from '../surfaces/plasmid-process.ts'

/** One value of the server that another edition of it has otherwise, as it stands in what is built. */
export interface Change {
  readonly from: RegExp
  readonly to: string
}

/**
 * Another edition of the server: a copy of what was built, with some of its values changed. Gives its command, as
 * `Setup.main` takes it.
 */
export async function serverEdition(folder: string, changes: readonly Change[]): Promise<string> {
  const built = dirname(PLASMID)
  const home = join(folder, 'dist', 'src')
  await mkdir(dirname(home), { recursive: true })
  await cp(built, home, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  await symlink(join(built, '..', '..', 'node_modules'), join(folder, 'node_modules'))
  // The command line is a bundle; its modules stand beside it as well.
  const chunks = join(home, 'chunks')
  const files = (await readdir(chunks)).map((name) => join(chunks, name))
  for (const { from, to } of changes) {
    const texts = await Promise.all(files.map((path) => readFile(path, 'utf8')))
    const [at, other] = texts.flatMap((text, index) => (from.test(text) ? [index] : []))
    const path = files[at ?? -1]
    if (at === undefined || other !== undefined || path === undefined)
      throw new Error(`${String(from)} stands in no chunk, or in several`)
    await writeFile(path, (texts[at] ?? '').replace(from, to))
  }
  return join(home, 'main.js')
}

/** What a process is started with whose clock is so many milliseconds off. */
export function clockOff(byMs: number): Readonly<Record<string, string>> {
  const script = `const Real = Date
globalThis.Date = class extends Real {
  constructor(...given) { super(...(given.length > 0 ? given : [Real.now() + ${byMs}])) }
  static now() { return Real.now() + ${byMs} }
}`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
}
