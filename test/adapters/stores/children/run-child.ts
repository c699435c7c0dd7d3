import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import ts from 'typescript'

const ROOT = resolve(import.meta.dirname, '../../../..')

/** Compiles a program of this folder, with all that it imports, so that plain `node` can run it; gives its path. */
export async function compileChild(name: string, folder: string): Promise<string> {
  const source = join(import.meta.dirname, name)
  const program = ts.createProgram([source], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    rewriteRelativeImportExtensions: true,
    noCheck: true,
    types: [],
    rootDir: ROOT,
    outDir: folder,
  })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  program.emit()
  return join(folder, 'test/adapters/stores/children', name.replace(/ts$/, 'js'))
}

/** A child process that speaks in lines. */
export class Child {
  readonly #process: ChildProcessWithoutNullStreams
  readonly #lines: AsyncIterator<string>
  #errors = ''

  constructor(script: string, args: readonly string[]) {
    this.#process = spawn(process.execPath, [script, ...args])
    this.#process.stderr.on('data', (data: Buffer) => (this.#errors += data.toString()))
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]()
  }

  /** Its next line; throws with what it complained of where it ended instead. */
  async line(): Promise<string> {
    const next = await this.#lines.next()
    if (next.done === true) throw new Error(`the child process ended: ${this.#errors}`)
    return next.value
  }

  /** SIGKILL: it has no chance to write anything more. */
  async kill(): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await ended
  }

  /** Waits until it has ended by itself; gives its exit code. */
  async ended(): Promise<number | null> {
    if (this.#process.exitCode === null) await once(this.#process, 'exit')
    return this.#process.exitCode
  }
}
