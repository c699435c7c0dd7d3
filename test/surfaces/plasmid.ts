import { Readable, Writable } from 'node:stream'
import { cliDependencies } from '../../src/app/command-line.ts'
import { runCli } from '../../src/surfaces/cli/main-command.ts'
import { asProcess } from './in-place.ts'
import { cleanEnv } from './plasmid-process.ts'

/**
 * Runs a `plasmid` command to its end in this process: a new one takes most of a second to start. The command gets its own
 * streams and environment, as `plasmidProcess` gives them.
 */
export function plasmid(
  args: readonly string[],
  input = '',
  env: Readonly<Record<string, string>> = {},
  cwd = process.cwd(),
) {
  const [stdout, stderr] = [new Output(), new Output()]
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)])
  const own = { stdin, stdout, stderr, env: { ...cleanEnv(), ...env }, cwd: () => cwd }
  return asProcess(own, async () => {
    const code = await runCli(args, cliDependencies)
    return { code, stdout: stdout.text, stderr: stderr.text }
  })
}

class Output extends Writable {
  text = ''

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}
