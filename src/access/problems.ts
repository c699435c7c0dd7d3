import { oneOf, problemsOf } from '../base/diagnostic.ts'

/** Problems of a policy file. */
export const accessProblem = problemsOf({
  policy_unknown_key: {
    message: ({ file, path, key }: { file: string; path: string; key: string }) =>
      `The policy file ${file} has an unknown key \`${key}\`${path === '' ? '' : ` in \`${path}\``}.`,
    next: ({ similar }: { similar: readonly string[] }) =>
      similar.length > 0 ? `Did you mean ${oneOf(similar)}?` : 'Remove it.',
  },
  policy_invalid: {
    message: ({ file, path, reason }: { file: string; path: string; reason: string }) =>
      `In the policy file ${file}, ${path === '' ? 'the whole' : `\`${path}\``} ${reason}.`,
    next: () => 'Correct the file; until then all access is denied.',
  },
  policy_twice: {
    message: ({ file, from, tenant }: { file: string; from: string; tenant: string | undefined }) =>
      `The policy file ${file} has two entries for ${tenant === undefined ? 'callers without a tenant' : `the tenant \`${tenant}\``} from \`${from}\`.`,
    next: () => 'Merge the two entries.',
  },
  policy_unknown_name: {
    message: ({ file, path, name }: { file: string; path: string; name: string }) =>
      `The policy file ${file} refers to \`${name}\` at \`${path}\`, which no loaded catalog has.`,
    next: ({ similar }: { similar: readonly string[] }) =>
      similar.length > 0 ? `Did you mean ${oneOf(similar)}?` : 'Correct or remove it.',
  },
})

/** Problems of the context in which a server would run for a session. */
export const trustProblem = problemsOf({
  unknown_trust: {
    message: ({ text }: { text: string }) => `The level of trust ${JSON.stringify(text)} is unknown.`,
    next: () => 'Use `direct` or `sandboxed`.',
  },
  bad_session_context: {
    message: ({ field }: { field: string }) =>
      `The \`${field}\` of the session's context cannot be given to a server: it is empty, too long or has characters that it must not have.`,
    next: () => 'Report this: Plasmid itself makes these values, and nothing was started.',
  },
})

/** Problems of the workspace that a call names. */
export const workspaceProblem = problemsOf({
  bad_workspace: {
    message: ({ workspace, reason }: { workspace: string; reason: string }) =>
      `The workspace ${JSON.stringify(workspace)} cannot be used: ${reason}.`,
    next: () => 'Name the absolute path of a folder, without `..` and control characters, or no workspace.',
  },
  missing_workspace: {
    message: ({ api }: { api: string }) =>
      `The catalog \`${api}\` can only be used in a workspace, and this call names none.`,
    next: () =>
      'Pass `workspace`, the absolute path of the project, or let the host announce it (`_meta.plasmid.workspace`).',
  },
  workspace_file_invalid: {
    message: ({ file, reason }: { file: string; reason: string }) =>
      `The file ${file} of the workspace is invalid: ${reason}.`,
    next: () => 'Correct or remove the file; until then no call is made in this workspace.',
  },
  workspace_claimed: {
    message: ({ root, id, owner }: { root: string; id: string; owner: string }) =>
      `The folder ${root} calls itself \`${id}\`, which the configuration of the server gives to ${owner}.`,
    next: () => 'List the folder in the setting `workspaces`, or change its `workspace_id`.',
  },
})
