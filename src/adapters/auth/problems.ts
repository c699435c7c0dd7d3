import { oneOf, problemsOf } from '../../base/diagnostic.ts'

export const authProblem = problemsOf({
  secret_differs: {
    message: ({ name, path }: { name: string; path: string }) =>
      `The environment variable ${name} lacks the secret in the file ${path}.`,
    next: ({ name, path }: { name: string; path: string }) =>
      `Append the secret of the file to ${name} to keep existing sessions, or remove ${path} to drop them.`,
  },
  secret_too_short: {
    message: ({ where, wanted, bytes }: { where: string; wanted: number; bytes: number }) =>
      `The secret in ${where} must have at least ${wanted} bytes, got ${bytes}.`,
    next: ({ where }: { where: string }) => `Use a longer secret in ${where}.`,
  },
  secret_readable: {
    message: ({ path, mode }: { path: string; mode: string }) =>
      `The secret file ${path} must have mode 0600, got ${mode}.`,
    next: ({ path }: { path: string }) => `Run \`chmod 600 ${path}\`.`,
  },
  secret_unreadable: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `Cannot use the secret file ${path}: ${reason}.`,
    next: () =>
      'Make the data directory readable and writable for this user, or choose another with --data-dir.',
  },
  policy_unreadable: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `Cannot read the policy file ${path}: ${reason}.`,
    next: () => 'Correct the path or the file; until then all access is denied.',
  },
  policy_missing: {
    message: ({ where }: { where: string }) => `The store ${where} has no policy, so all access is denied.`,
    next: () => 'Run `plasmid policy set FILE` once; every node applies it from its next call.',
  },
  policy_not_shared: {
    message: () => '`policy: store` needs a store that nodes share, but this one is local.',
    next: () => 'Set `policy` to a file, or `store` to a Redis server.',
  },
  key_bad_surface: {
    message: ({ name, similar }: { name: string; similar: readonly string[] }) =>
      `A key cannot be limited to \`${name}\`${similar.length > 0 ? `; did you mean ${oneOf(similar)}?` : '.'}`,
    next: () => 'Limit it to `mcp`, `http` or `confirm`, or to several of them.',
  },
  key_bad_name: {
    message: ({ what }: { what: string }) =>
      `The ${what} of a key must have 1 to 512 characters of well-formed Unicode.`,
    next: ({ what }: { what: string }) => `Choose another ${what}.`,
  },
  key_bad_expiry: {
    message: ({ expires }: { expires: string }) =>
      `The expiry of a key must be a duration, or a date or time in the future, got \`${expires}\`.`,
    next: () => 'Write `90d`, `12h`, `30m`, `2030-01-31` or `2030-01-31T00:00:00Z`; a time needs its zone.',
  },
  key_unknown: {
    message: ({ id }: { id: string }) => `There is no key \`${id}\`.`,
    next: ({ similar }: { similar: readonly string[] }) =>
      similar.length > 0 ? `Did you mean ${oneOf(similar)}?` : 'Run `plasmid keys list` for the ids.',
  },
  keys_unusable: {
    message: ({ where, reason }: { where: string; reason: string }) =>
      `Cannot use the API keys in ${where}: ${reason}.`,
    next: () => 'Make the directory readable and writable for this user, or set another `keys_dir`.',
  },
  jwks_unreadable: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `Cannot use the key set ${path}: ${reason}.`,
    next: () => 'Write a JSON Web Key Set with public keys there.',
  },
  jwt_secret_unusable: {
    message: ({ issuer, reason }: { issuer: string; reason: string }) =>
      `Cannot use the secret of the issuer ${issuer}: ${reason}.`,
    next: () => 'Set `secret` to `env:NAME` or `file:PATH`, and provide that variable or file.',
  },
  nothing_to_verify: {
    message: ({ mode, where }: { mode: string; where: string }) =>
      `\`auth: ${mode}\` needs API keys or issuers, but ${where} has no keys and \`jwt\` has no issuer.`,
    next: () => 'Run `plasmid keys add --subject NAME`, or configure `jwt`.',
  },
})
