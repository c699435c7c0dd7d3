import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { Problem } from '../../base/diagnostic.ts'
import { problem } from '../../catalog/problems.ts'
import { readPlasm, type SourceFile } from '../../catalog/readers/plasm/read.ts'
import type { Reading } from '../../catalog/source.ts'

/** The largest file that is read: 50 MiB. */
const MAX_CATALOG_BYTES = 50 * 1024 * 1024

/**
 * Reads the catalog at a path: a folder with `domain.yaml` and `mappings.yaml`, or one `.yaml` file. Its id is the
 * `entry_id` that it says, else the folder's or the file's name. Never rejects: what cannot be read is in the errors.
 */
export async function readCatalogPath(path: string): Promise<Reading> {
  const id = idOf(path)
  const kind = await kindOf(path)
  const read = kind === 'folder' ? ['domain.yaml', 'mappings.yaml'].map((name) => join(path, name)) : [path]
  if (typeof kind !== 'string') return { path, id, errors: [kind], warnings: [] }
  const files = await Promise.all(read.map(readFile))
  const errors = files.filter((file) => 'code' in file)
  const [domain, mappings] = files.filter((file) => 'text' in file)
  if (errors.length > 0 || !domain) return { path, id, errors, warnings: [] }
  return readPlasm({ path, id, domain, ...(mappings && { mappings }) })
}

function idOf(path: string): string {
  return basename(resolve(path)).replace(/(?:\.cgs)?\.ya?ml$/i, '')
}

async function kindOf(path: string): Promise<'folder' | 'file' | Problem> {
  if (/\.json$/i.test(path)) return problem('catalog_is_json', { path })
  try {
    const found = await stat(path)
    if (found.isDirectory()) return 'folder'
    if (!found.isFile()) return unreadable(path, 'it is neither a file nor a folder')
    return /\.ya?ml$/i.test(path) ? 'file' : unreadable(path, 'its name does not end in .yaml or .yml')
  } catch (error) {
    return unreadable(path, reasonOf(error))
  }
}

async function readFile(path: string): Promise<SourceFile | Problem> {
  try {
    // Opening a pipe would wait for its writer: never wait, and look at what was really opened.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
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

function tooLarge(path: string, bytes: number): Problem {
  return problem('catalog_too_large', { path, maxBytes: MAX_CATALOG_BYTES, bytes }, { file: path })
}

function unreadable(path: string, reason: string): Problem {
  return problem('catalog_unreadable', { path, reason }, { file: path })
}

/** System errors in words. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
      return 'it does not exist'
    case 'EACCES':
      return 'permission is denied'
    case 'ENXIO':
      return 'it is not a plain file'
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return 'it is not UTF-8'
    default:
      return typeof code === 'string' ? code : 'reading it failed'
  }
}
