import { oneOf, problemsOf } from '../base/diagnostic.ts'

/** What a policy file can get wrong. */
export const accessProblem = problemsOf({
  policy_unknown_key: {
    message: ({ file, path, key }: { file: string; path: string; key: string }) =>
      `the policy file ${file} holds an unknown key \`${key}\`${path === '' ? '' : ` in \`${path}\``}`,
    next: ({ similar }: { similar: readonly string[] }) =>
      similar.length > 0 ? `Did you mean ${oneOf(similar)}?` : 'Remove it',
  },
  policy_invalid: {
    message: ({ file, path, reason }: { file: string; path: string; reason: string }) =>
      `the policy file ${file} is not valid${path === '' ? '' : ` at \`${path}\``}: ${reason}`,
    next: () => 'Correct the file: until then nobody may use anything',
  },
  policy_twice: {
    message: ({ file, from, tenant }: { file: string; from: string; tenant: string | undefined }) =>
      `the policy file ${file} has two entries for ${tenant === undefined ? 'callers without a tenant' : `the tenant \`${tenant}\``} from \`${from}\``,
    next: () => 'Make one of the two',
  },
  policy_unknown_name: {
    message: ({ file, path, name }: { file: string; path: string; name: string }) =>
      `the policy file ${file} names \`${name}\` at \`${path}\`, which no catalog here has`,
    next: ({ similar }: { similar: readonly string[] }) =>
      similar.length > 0 ? `Did you mean ${oneOf(similar)}?` : 'Correct or remove it',
  },
})
