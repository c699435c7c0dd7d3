import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { workspaceProblem } from '../../access/problems.ts'
import {
  grantOf,
  readRoot,
  readWorkspaceFile,
  type WorkspaceFile,
  type WorkspaceGrants,
  workspaceOf,
  type Workspaces,
} from '../../access/workspace.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'

/** Where a folder says what it is, below its root. */
const FILE = join('.plasmid', 'workspace.yaml')
const MAX_BYTES = 64 * 1024

/**
 * The workspaces of this machine: their real paths, the operator's grants, and what each folder says about itself, read for
 * each call. A folder that no grant lists is read for the local user only: other callers learn nothing about the disk.
 */
export async function diskWorkspaces(grants: WorkspaceGrants): Promise<Workspaces> {
  const real = {
    ...grants,
    workspaces: await Promise.all(
      grants.workspaces.map(async (grant) => ({ ...grant, root: await realRoot(grant.root) })),
    ),
  }
  return {
    trust: grants.trust,
    find: async (path, isLocal) => {
      const root = await realRoot(path)
      const isRead = isLocal || grantOf(root, real.workspaces) !== undefined
      const file = isRead ? await readFileOf(root) : ok<WorkspaceFile>({})
      return file.ok ? workspaceOf(root, file.value, real) : file
    },
  }
}

/** Without symbolic links, so that one folder has one grant; the path itself if it is not on this machine. */
async function realRoot(path: string): Promise<string> {
  try {
    return readRoot(await realpath(path)) ?? path
  } catch {
    return path
  }
}

async function readFileOf(root: string): Promise<Result<WorkspaceFile>> {
  const path = join(root, FILE)
  const text = await textOf(path)
  if (!text.ok) return text
  if (text.value === undefined) return ok({})
  let value: unknown
  try {
    value = parse(text.value, { maxAliasCount: 0 })
  } catch {
    // A message of the parser quotes the text, which may be that of another file behind a link.
    return failed([invalid(path, 'it is no YAML')])
  }
  return readWorkspaceFile(value, path)
}

/** The text of a small regular file; undefined if there is none. Never waits for a pipe or a device. */
async function textOf(path: string): Promise<Result<string | undefined>> {
  let file
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? ok(undefined)
      : failed([invalid(path, code === 'ELOOP' ? 'it is a symbolic link' : `it cannot be read (${code})`)])
  }
  try {
    const { size } = await file.stat().then((stat) => (stat.isFile() ? stat : { size: -1 }))
    if (size < 0) return failed([invalid(path, 'it is no regular file')])
    if (size > MAX_BYTES) return failed([invalid(path, `it is larger than ${MAX_BYTES} bytes`)])
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0)
    return ok(buffer.toString('utf8', 0, bytesRead))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return failed([invalid(path, `it cannot be read (${code})`)])
  } finally {
    await file.close()
  }
}

function invalid(file: string, reason: string) {
  return workspaceProblem('workspace_file_invalid', { file, reason }, { file })
}
