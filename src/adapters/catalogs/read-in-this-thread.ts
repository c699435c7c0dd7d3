import { constants } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, resolve, sep } from 'node:path'
import type { Problem } from '../../base/diagnostic.ts'
import { codeOf } from '../../base/errors.ts'
import { problem } from '../../catalog/problems.ts'
import { inFolder, readers } from '../../catalog/readers/index.ts'
import type { Reader, SourceFile } from '../../catalog/readers/reader.ts'
import type { Reading } from '../../catalog/source.ts'

/** What the operator says of a catalog besides its path. */
export interface ReadAs {
  /** Its id. */
  readonly id?: string
  /** The address that the file is a copy of. */
  readonly address?: string
  /** The path of an OpenAPI Overlay document. */
  readonly overlay?: string
}

/** The largest file that is read: 50 MiB. */
const MAX_CATALOG_BYTES = 50 * 1024 * 1024

/**
 * Reads the catalog at a path with the first reader that accepts it. The id comes from the catalog, or else from the name
 * of the folder or file. Never rejects: the reading lists the errors. Reads in this thread, for as long as it takes.
 */
export async function readCatalogInThisThread(path: string, as: ReadAs = {}): Promise<Reading> {
  const id = as.id ?? idOf(path)
  const held = await heldAt(path)
  if ('code' in held) return { path, id, errors: [held], warnings: [] }
  const read = await Promise.all(held.files.map((file) => readFile(file, held.isFolder ? path : undefined)))
  const errors = read.filter((file) => 'code' in file)
  const [first, ...more] = read.filter((file) => 'text' in file)
  if (errors.length > 0 || !first) return { path, id, errors, warnings: [] }
  const reader = held.readers.find(({ isFile }) => held.isFolder || isFile(path, first.text))
  const refused = (found: Problem): Reading => ({ path, id, errors: [found], warnings: [] })
  if (!reader) return refused(hintAbout(path) ?? unrecognised(path))
  const overlay = as.overlay === undefined ? undefined : await overlayFor(reader, as.overlay)
  if (overlay && 'code' in overlay) return refused(overlay)
  return reader.read({
    path: as.address ?? path,
    id: as.id ?? reader.idOf(basename(resolve(path))),
    files: [first, ...more],
    overlay,
  })
}

async function overlayFor({ takesOverlay, accepts }: Reader, path: string): Promise<SourceFile | Problem> {
  return takesOverlay
    ? readFile(path, undefined)
    : problem('overlay_misplaced', { path, accepts }, { file: path })
}

function idOf(path: string): string {
  const name = basename(resolve(path))
  const reader = readers.find(({ isFile }) => isFile(name))
  return reader?.idOf(name) ?? name
}

/** The files to read at a path, and the readers that may accept them. */
interface Held {
  readonly isFolder: boolean
  readonly files: readonly string[]
  readonly readers: readonly Reader[]
}

async function heldAt(path: string): Promise<Held | Problem> {
  const hint = readers.some(({ isFile }) => isFile(path)) ? undefined : hintAbout(path)
  if (hint) return hint
  try {
    const found = await stat(path)
    if (found.isDirectory()) return folderAt(path, await readdir(path))
    if (!found.isFile()) return unreadable(path, 'it is neither a file nor a folder')
    const claiming = readers.filter(({ isFile }) => isFile(path))
    return claiming.length > 0 ? { isFolder: false, files: [path], readers: claiming } : unrecognised(path)
  } catch (error) {
    return unreadable(path, reasonOf(error))
  }
}

function folderAt(path: string, names: readonly string[]): Held | Problem {
  const found = inFolder(names)
  if (!found) return unrecognised(path)
  return { isFolder: true, files: found.files.map((name) => join(path, name)), readers: [found.reader] }
}

function hintAbout(path: string): Problem | undefined {
  for (const { hint } of readers) {
    const found = hint(path)
    if (found) return found
  }
  return undefined
}

function accepted(): readonly string[] {
  return readers.map(({ accepts }) => accepts)
}

function unrecognised(path: string): Problem {
  return problem('catalog_unrecognised', { path, accepted: accepted() }, { file: path })
}

/** @param folder the folder that the file must be in, where a symbolic link leads, too */
async function readFile(path: string, folder: string | undefined): Promise<SourceFile | Problem> {
  try {
    const real = folder === undefined ? path : await insideOf(folder, path)
    if (real === undefined) return unreadable(path, 'it is a symbolic link that leads out of its folder')
    // Opening a pipe would block until it has a writer. The check runs on the open file, so the path cannot change in between.
    const handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const found = await handle.stat()
      if (!found.isFile()) return unreadable(path, 'it is not a plain file')
      if (found.size > MAX_CATALOG_BYTES) return tooLarge(path, found.size)
      const bytes = await handle.readFile()
      if (bytes.length > MAX_CATALOG_BYTES) return tooLarge(path, bytes.length)
      return { file: path, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
    } finally {
      await handle.close()
    }
  } catch (error) {
    return unreadable(path, reasonOf(error))
  }
}

/** The path without links; undefined outside the folder. A folder of someone else must not read files of this user. */
async function insideOf(folder: string, path: string): Promise<string | undefined> {
  const [home, real] = await Promise.all([realpath(folder), realpath(path)])
  return real.startsWith(home.endsWith(sep) ? home : home + sep) ? real : undefined
}

function tooLarge(path: string, bytes: number): Problem {
  return problem('catalog_too_large', { path, maxBytes: MAX_CATALOG_BYTES, bytes }, { file: path })
}

function unreadable(path: string, reason: string): Problem {
  return problem('catalog_unreadable', { path, reason, accepted: accepted() }, { file: path })
}

/** The reason of a system error. */
function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOENT':
      return 'it does not exist'
    case 'EACCES':
      return 'permission is denied'
    case 'ENXIO':
      return 'it is not a plain file'
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return 'it is not UTF-8'
    default:
      return codeOf(error) ?? 'reading it failed'
  }
}
