import { problemsOf } from '../../base/diagnostic.ts'

export const authProblem = problemsOf({
  secret_differs: {
    message: ({ name, path }: { name: string; path: string }) =>
      `${name} in the environment and the file ${path} hold different secrets`,
    next: ({ name, path }: { name: string; path: string }) =>
      `Unset ${name} to keep the sessions that were made with the file, or remove ${path} to give them up`,
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
})
