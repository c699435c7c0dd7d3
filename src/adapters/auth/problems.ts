import { oneOf, problemsOf } from '../../base/diagnostic.ts'

export const authProblem = problemsOf({
  secret_differs: {
    message: ({ name, path }: { name: string; path: string }) =>
      `${name} in the environment lacks a secret that the file ${path} holds`,
    next: ({ name, path }: { name: string; path: string }) =>
      `To keep the sessions that were made with the file, put its secret behind the new one in ${name}; to give them up, remove ${path}`,
  },
  secret_too_short: {
    message: ({ where, wanted, bytes }: { where: string; wanted: number; bytes: number }) =>
      `the secret in ${where} must have at least ${wanted} bytes, but has ${bytes}`,
    next: ({ where }: { where: string }) => `Put a longer secret into ${where}`,
  },
  secret_readable: {
    message: ({ path, mode }: { path: string; mode: string }) =>
      `the secret file ${path} must be readable by its owner alone (0600), but its mode is ${mode}`,
    next: ({ path }: { path: string }) => `Run: chmod 600 ${path}`,
  },
  secret_unreadable: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `the secret file ${path} cannot be used: ${reason}`,
    next: () =>
      'Make the data directory readable and writable for this user, or choose another with --data-dir',
  },
  policy_unreadable: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `the policy file ${path} cannot be read: ${reason}`,
    next: () => 'Correct the path or the file: until then nobody may use anything',
  },
  policy_missing: {
    message: ({ where }: { where: string }) =>
      `there is no policy in the store ${where}, and so nobody may use anything`,
    next: () => 'Run `plasmid policy set FILE` once: it holds for every node from its next call on',
  },
  policy_not_shared: {
    message: () => '`policy: store` wants a store that nodes share, and this one is of one machine',
    next: () => 'Name a file as `policy`, or choose a Redis server as `store`',
  },
  key_bad_name: {
    message: ({ what }: { what: string }) =>
      `the ${what} of a key must have 1 to 512 characters of well-formed Unicode`,
    next: ({ what }: { what: string }) => `Choose another ${what}`,
  },
  key_bad_expiry: {
    message: ({ expires }: { expires: string }) =>
      `a key must expire in the future, at a time or after some minutes, hours or days: \`${expires}\` is none`,
    next: () => 'Write `90d`, `12h`, `30m` or `2030-01-31T00:00:00Z`',
  },
  key_unknown: {
    message: ({ id }: { id: string }) => `there is no key \`${id}\``,
    next: ({ similar }: { similar: readonly string[] }) =>
      similar.length > 0 ? `Did you mean ${oneOf(similar)}?` : 'Run `plasmid keys list` for the ids',
  },
  keys_unusable: {
    message: ({ where, reason }: { where: string; reason: string }) =>
      `the API keys in ${where} cannot be used: ${reason}`,
    next: () => 'Make a directory readable and writable for this user, or choose another as `keys_dir`',
  },
  jwks_unreadable: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `the key set ${path} cannot be used: ${reason}`,
    next: () => 'Put a JSON Web Key Set with public keys there',
  },
  jwt_secret_unusable: {
    message: ({ issuer, reason }: { issuer: string; reason: string }) =>
      `the secret of the issuer ${issuer} cannot be used: ${reason}`,
    next: () => 'Set what `secret` refers to, as `env:NAME` or `file:PATH`',
  },
  nothing_to_verify: {
    message: ({ mode, where }: { mode: string; where: string }) =>
      `\`auth: ${mode}\` needs credentials that can be verified, but ${where} holds no API key and \`jwt\` names no issuer`,
    next: () => 'Run `plasmid keys add --subject NAME`, or configure `jwt`',
  },
})
