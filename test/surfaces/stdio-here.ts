import { PassThrough } from 'node:stream'
import { cliDependencies } from '../../src/app/command-line.ts'
import { runCli } from '../../src/surfaces/cli/main-command.ts'
import type { CliDependencies } from '../../src/surfaces/cli/dependencies.ts'
import { asProcess } from './in-place.ts'
import { cleanEnv } from './plasmid-process.ts'

/** A command that serves over standard input and output. */
interface StdioHere {
  readonly stdin: PassThrough
  readonly stdout: PassThrough
  /** Its exit code. */
  readonly ended: Promise<number>
}

/** Starts `plasmid mcp` or `plasmid acp` in this process: a new one takes most of a second to start. */
export async function stdioHere(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<StdioHere> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough().resume()]
  const own = {
    stdin,
    stdout,
    stderr,
    cwd: () => '/',
    env: { ...cleanEnv(), PLASMID_LOG_LEVEL: 'silent', ...env },
  }
  let ended: Promise<number> = Promise.resolve(0)
  await asProcess(
    own,
    () =>
      new Promise<void>((serves, reject) => {
        ended = runCli(args, { ...cliDependencies, open: opening(serves) })
        ended.then((code) => reject(new Error(`the command ended with ${code}`)), reject)
      }),
  )
  return { stdin, stdout, ended }
}

/** Opens an engine that reports when it serves. */
function opening(serves: () => void): CliDependencies['open'] {
  const reported =
    <Connection>(serve: () => Promise<Connection>) =>
    async () => {
      const connection = await serve()
      serves()
      return connection
    }
  return async (settings) => {
    const opened = await cliDependencies.open(settings)
    if (!opened.ok) return opened
    const engine = opened.value
    const { mcpOverStdio, acpOverStdio } = engine
    return {
      ok: true,
      value: { ...engine, mcpOverStdio: reported(mcpOverStdio), acpOverStdio: reported(acpOverStdio) },
    }
  }
}
