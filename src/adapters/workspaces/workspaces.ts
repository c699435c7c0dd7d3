import { constants } from 'node:fs'
import { open, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { workspaceProblem } from '../../access/problems.ts'
import {
  grantOf,
  readRoot,
  readWorkspaceFile,
  unusable,
  type WorkspaceFile,
  type WorkspaceGrants,
  workspaceOf,
  type Workspaces,
} from '../../access/workspace.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { readYaml } from '../../base/bounded-yaml.ts'
import { codeOf, hasCode } from '../../base/errors.ts'

/** Where a folder says what it is, below its root. */
const FILE = join('.plasmid', 'workspace.yaml')
/** Three short keys and a list need no more. */
const MAX_BYTES = 4 * 1024
const MAX_DEPTH = 4

/**
 * The workspaces of this machine: their real paths, the operator's grants, and what each folder says about itself, read for
 * each call. A folder that no grant lists is read for the local user only: other callers learn nothing about the disk.
 */
export async function diskWorkspaces(grants: WorkspaceGrants): Promise<Workspaces> {
  const real = {
    ...grants,
    workspaces: await Promise.all(
      grants.workspaces.map(async (grant) => {
        const root = await realRoot(grant.root)
        return root.ok ? { ...grant, root: root.value } : grant
      }),
    ),
  }
  return {
    trust: grants.trust,
    find: async (path, isLocal) => {
      const found = await realRoot(path)
      if (!found.ok) return found
      const root = found.value
      const isRead = isLocal || grantOf(root, real.workspaces) !== undefined
      if (isRead && (await isOther(root))) return unusable(path, 'it is no directory')
      const file = isRead ? await readFileOf(root) : ok<WorkspaceFile>({})
      return file.ok ? workspaceOf(root, file.value, real) : file
    },
  }
}

/**
 * The path without symbolic links, so that one folder has one grant. What is not on this machine keeps its spelling below the
 * last folder that is. Gives `bad_workspace` where links cannot be followed, or lead to a path that is no root.
 */
async function realRoot(path: string): Promise<Result<string>> {
  const whole = await realPath(path)
  if (!whole.ok) return whole
  if (whole.value !== undefined) return asRoot(path, whole.value)
  const names = path.split('/').slice(1)
  let real = '/'
  for (const [at, name] of names.entries()) {
    const next = await realPath(join(real, name))
    if (!next.ok) return next
    if (next.value === undefined) return asRoot(path, join(real, ...names.slice(at)))
    real = next.value
  }
  return asRoot(path, real)
}

/** A real path is a root only in exactly this spelling: another one is another folder. */
function asRoot(path: string, real: string): Result<string> {
  return readRoot(real) === real ? ok(real) : unusable(path, 'it leads to a path that is no root')
}

/** Undefined if there is nothing at the path. */
async function realPath(path: string): Promise<Result<string | undefined>> {
  try {
    return ok(await realpath(path))
  } catch (error) {
    return MISSING.has(codeOf(error)) ? ok(undefined) : unusable(path, 'it cannot be resolved')
  }
}

/** Is the root there, but no directory? */
async function isOther(root: string): Promise<boolean> {
  return stat(root).then(
    (found) => !found.isDirectory(),
    (error: unknown) => hasCode(error, 'ENOTDIR'),
  )
}

/** Errors by which the system says that there is nothing at a path. */
const MISSING = new Set<string | undefined>(['ENOENT', 'ENOTDIR'])

async function readFileOf(root: string): Promise<Result<WorkspaceFile>> {
  const path = join(root, FILE)
  const text = await textOf(path)
  if (!text.ok) return text
  if (text.value === undefined) return ok({})
  const held = valueOf(text.value)
  // A message of the parser would quote the text, which may be that of another file behind a link.
  return held ? readWorkspaceFile(held.value, path) : failed([invalid(path, 'it is no YAML')])
}

/** What a text holds; undefined where it is no YAML. */
interface Held {
  readonly value: unknown
}

/** By text: each call reads the file, and parsing a hostile one takes longer than the rest of a call. */
const parsed = new LRUCache<string, { readonly held: Held | undefined }>({ max: 100 })

function valueOf(text: string): Held | undefined {
  const known = parsed.get(text)
  if (known) return known.held
  const held = parsedYaml(text)
  parsed.set(text, { held })
  return held
}

function parsedYaml(text: string): Held | undefined {
  const read = readYaml(text, MAX_DEPTH, { uniqueKeys: true })
  if ('tooDeepAt' in read || read.document.errors.length > 0) return undefined
  try {
    return { value: read.document.toJS({ maxAliasCount: 0 }) }
  } catch {
    return undefined
  }
}

/** The text of a small regular file; undefined if there is none. Never waits for a pipe or a device. */
async function textOf(path: string): Promise<Result<string | undefined>> {
  let file
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  } catch (error) {
    const code = codeOf(error)
    return MISSING.has(code)
      ? ok(undefined)
      : failed([invalid(path, code === 'ELOOP' ? 'it is a symbolic link' : `it cannot be read (${code})`)])
  }
  try {
    const { size } = await file.stat().then((found) => (found.isFile() ? found : { size: -1 }))
    if (size < 0) return failed([invalid(path, 'it is no regular file')])
    if (size > MAX_BYTES) return failed([invalid(path, `it is larger than ${MAX_BYTES} bytes`)])
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0)
    return ok(buffer.toString('utf8', 0, bytesRead))
  } catch (error) {
    return failed([invalid(path, `it cannot be read (${codeOf(error)})`)])
  } finally {
    await file.close()
  }
}

function invalid(file: string, reason: string) {
  return workspaceProblem('workspace_file_invalid', { file, reason }, { file })
}
