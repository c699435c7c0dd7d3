import { z } from 'zod'
import { failed, ok, type Result } from '../base/diagnostic.ts'
import { objection } from '../base/objection.ts'
import { workspaceProblem } from './problems.ts'
import { lowestTrust, normalTrust, type TrustLevel } from './trust.ts'

/*
 * A workspace is a folder that a host works in. The operator's configuration grants; what a call names and what a folder says
 * about itself only choose and narrow, so that a cloned repository can start and widen nothing.
 */

/** What the operator says about a folder and everything below it. */
export interface WorkspaceGrant {
  /** Absolute. */
  readonly root: string
  readonly id?: string | undefined
  readonly trust?: TrustLevel | undefined
  /** The only catalogs that calls in it may use; absent: all. */
  readonly catalogs?: readonly string[] | undefined
}

/** The operator's word on all workspaces. */
export interface WorkspaceGrants {
  /** Of calls without a workspace, and of workspaces whose grant does not say. */
  readonly trust: TrustLevel
  readonly workspaces: readonly WorkspaceGrant[]
}

/** A workspace as it holds for one call. */
export interface Workspace {
  /** Absolute. */
  readonly root: string
  /** The durable id: a slug, or `''` where neither the operator nor the folder gives one. */
  readonly id: string
  /** The operator gave the id to this folder: only such an id selects servers. */
  readonly grantedId?: string
  /** The operator listed the folder, or one above it: only such a folder is shown to a sandbox. */
  readonly isGranted: boolean
  readonly trust: TrustLevel
  /** Lists of catalogs: a call may use those that are in every list. */
  readonly limits: readonly (readonly string[])[]
}

/** How the engine finds workspaces. */
export interface Workspaces extends Pick<WorkspaceGrants, 'trust'> {
  /**
   * The workspace at a path. Never rejects.
   *
   * Gives `bad_workspace`, `workspace_file_invalid` or `workspace_claimed`.
   *
   * @param isLocal the caller is the user of this machine: a folder that no grant lists may be read for it
   */
  readonly find: (root: string, isLocal: boolean) => Promise<Result<Workspace>>
}

const SLUG = /^[a-z0-9][a-z0-9._-]{0,63}$/

/** Is the text a durable id of a workspace: lower case, digits, `.`, `_` and `-`, at most 64 characters? */
export function isWorkspaceId(text: string): boolean {
  return SLUG.test(text)
}

/** The longest path, in UTF-16 code units. */
const LONGEST = 4096

/**
 * An absolute path in its shortest spelling; undefined for a relative one, and for one with `..`, whose meaning depends on
 * links.
 */
export function readRoot(text: string): string | undefined {
  const parts = text.trim().split('/')
  const isPath =
    parts[0] === '' &&
    parts.length > 1 &&
    text.length <= LONGEST &&
    text.isWellFormed() &&
    // oxlint-disable-next-line no-control-regex -- a path with a line break or a NUL would end up in logs and environments
    !/[\u0000-\u001F\u007F]/.test(text) &&
    !parts.includes('..')
  return isPath ? `/${parts.filter((part) => part !== '' && part !== '.').join('/')}` : undefined
}

/** The root that a call or a host names. Gives `bad_workspace` where the text is no path that `readRoot` reads. */
export function workspaceRoot(text: string): Result<string> {
  const root = readRoot(text)
  return root === undefined
    ? unusable(text, 'it is no absolute path, or has `..` or control characters')
    : ok(root)
}

/** The problem `bad_workspace`: a workspace that is named and cannot be used never counts as none, which may have more rights. */
export function unusable(workspace: string, reason: string): Result<never> {
  const shortened = workspace.trim().slice(0, 200)
  return failed([workspaceProblem('bad_workspace', { workspace: shortened, reason }, { path: 'workspace' })])
}

/** Is the path the folder, or below it? */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === '/' || path.startsWith(`${folder}/`)
}

/** The grant of the nearest folder that the operator listed. */
export function grantOf(root: string, grants: readonly WorkspaceGrant[]): WorkspaceGrant | undefined {
  return grants
    .filter((grant) => isWithin(root, grant.root))
    .reduce<WorkspaceGrant | undefined>(
      (nearest, grant) => (nearest && nearest.root.length >= grant.root.length ? nearest : grant),
      undefined,
    )
}

const workspaceFile = z.strictObject({
  /** The durable id, which does not change when the folder moves. */
  workspace_id: z
    .string()
    .refine(isWorkspaceId, 'must be a slug: lower case, digits, `.`, `_` and `-`')
    .optional(),
  /** Only `sandboxed` narrows. */
  trust: z.string().transform(normalTrust).pipe(z.literal('sandboxed')).optional(),
  /** The only catalogs that calls in the folder use. */
  catalogs: z.array(z.string().min(1).max(200)).max(1000).optional(),
})

/** What a folder says about itself. */
export type WorkspaceFile = z.output<typeof workspaceFile>

/**
 * Reads the value of `.plasmid/workspace.yaml`. Gives `workspace_file_invalid` for anything that is not exactly what a folder
 * may say: a file that could not be understood could have narrowed.
 */
export function readWorkspaceFile(value: unknown, file: string): Result<WorkspaceFile> {
  const parsed = workspaceFile.safeParse(value ?? {})
  if (parsed.success) return ok(parsed.data)
  return failed(
    parsed.error.issues.slice(0, 5).map((issue) => {
      const path = issue.path.map(String).join('.')
      const reason =
        issue.code === 'unrecognized_keys'
          ? `it may not set ${issue.keys.map((key) => `\`${key.slice(0, 40)}\``).join(', ')}`
          : `${path === '' ? 'it' : `\`${path}\``} ${objection(issue)}`
      return workspaceProblem('workspace_file_invalid', { file, reason }, { file, path })
    }),
  )
}

/**
 * The workspace at a root, by the operator's grants and by what the folder says about itself. The id of a grant takes
 * precedence over the folder's. An id that the operator gave to another folder is refused: it could stand for that one's data.
 *
 * Gives `workspace_claimed`.
 */
export function workspaceOf(
  root: string,
  file: WorkspaceFile,
  { trust, workspaces }: WorkspaceGrants,
): Result<Workspace> {
  const grant = grantOf(root, workspaces)
  const claimed = grant?.id ?? file.workspace_id
  const owner = workspaces.find(({ id }) => id !== undefined && id === claimed)
  if (owner && grant?.id === undefined)
    return failed([
      workspaceProblem(
        'workspace_claimed',
        { root, id: owner.id ?? '', owner: owner.root },
        { path: 'workspace' },
      ),
    ])
  return ok({
    root,
    id: claimed ?? '',
    ...(grant?.id !== undefined && { grantedId: grant.id }),
    isGranted: grant !== undefined,
    trust: lowestTrust([grant?.trust ?? trust, ...(file.trust ? [file.trust] : [])]),
    limits: [grant?.catalogs, file.catalogs].filter((list) => list !== undefined),
  })
}

/** Finds workspaces by the grants alone: no folder says anything about itself. */
export function workspacesOf(grants: WorkspaceGrants): Workspaces {
  return { trust: grants.trust, find: async (root) => workspaceOf(root, {}, grants) }
}
