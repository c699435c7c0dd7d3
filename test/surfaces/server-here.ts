import { cliDependencies } from '../../src/app/command-line.ts'
import { runCli } from '../../src/surfaces/cli/main-command.ts'
import { asProcess } from './in-place.ts'
import { cleanEnv } from './plasmid-process.ts'
import { reachedAt, type Server } from './server-process.ts'

/**
 * Starts a server on a port of its own, in this process: a new process takes most of a second to start. The flags are read as
 * `plasmid serve` reads them.
 */
export async function serveHere(
  dataDir: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const ending = new AbortController()
  const own = { env: { ...cleanEnv(), PLASMID_LOG_LEVEL: 'silent', ...env } }
  let ended: Promise<number> | undefined
  const url = await asProcess(
    own,
    () =>
      new Promise<string>((announce, reject) => {
        ended = runCli(['serve', '--port', '0', '--data-dir', dataDir, ...flags], {
          ...cliDependencies,
          workers: async () => ({ ok: true, value: undefined }),
          // A worker heeds no signals, and leaves notices to the first.
          worker: { id: 2, announce, ending: ending.signal },
        })
        ended.then((code) => reject(new Error(`the server ended with ${code}`)), reject)
      }),
  )
  return {
    ...(await reachedAt(url, dataDir)),
    kill: async () => {
      ending.abort()
      await ended
    },
  }
}
