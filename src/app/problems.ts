import { problemsOf } from '../base/diagnostic.ts'

/** What keeps a server from starting with the settings that it has. */
export const appProblem = problemsOf({
  workers_need_store: {
    message: ({ workers }: { workers: number }) =>
      `\`workers: ${workers}\` needs a store that processes share, and each process would have its own \`memory\` store`,
    next: () => 'Choose `--store sqlite` or `--store redis`, or `--workers 1`',
  },
})
