import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PLASMID } from '../surfaces/plasmid-process.ts'

/** One value of the server that another edition of it has otherwise. */
export interface Change {
  /** Under `src`, as built. */
  readonly file: string
  readonly from: string
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
  for (const { file, from, to } of changes) {
    const path = join(home, file)
    const text = await readFile(path, 'utf8')
    if (text.split(from).length !== 2) throw new Error(`${file} does not say ${from} once`)
    await writeFile(path, text.replace(from, to))
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
