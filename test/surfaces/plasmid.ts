import { Readable, Writable } from 'node:stream'
import { cliDependencies } from '../../src/app/command-line.ts'
import { runCli } from '../../src/surfaces/cli/main-command.ts'
import { cleanEnv } from './plasmid-process.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** The last run: two at once would write to the same streams. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a `plasmid` command to its end in this process: a new one takes most of a second to start. The command gets its own
 * streams and environment, as `plasmidProcess` gives them.
 */
export function plasmid(args: readonly string[], input = '', env: Record<string, string> = {}) {
  const run = last.then(() => runHere(args, input, env))
  last = run.catch(() => undefined)
  return run
}

async function runHere(args: readonly string[], input: string, env: Record<string, string>) {
  const [stdout, stderr] = [new Output(), new Output()]
  const listeners = SIGNALS.map((signal) => process.listeners(signal))
  const restore = replaced({
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    stdout,
    stderr,
    env: { ...cleanEnv(), ...env },
  })
  try {
    const code = await runCli(args, cliDependencies)
    return { code, stdout: stdout.text, stderr: stderr.text }
  } finally {
    restore()
    SIGNALS.forEach((signal, index) => {
      for (const listener of process.listeners(signal))
        if (!listeners[index]?.includes(listener)) process.off(signal, listener)
    })
  }
}

class Output extends Writable {
  text = ''

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

/** Replaces properties of `process`; the result restores them. */
function replaced(values: Readonly<Record<string, unknown>>): () => void {
  const before = Object.keys(values).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const,
  )
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(process, name, { value, configurable: true, writable: true, enumerable: true })
  return () => {
    for (const [name, descriptor] of before) if (descriptor) Object.defineProperty(process, name, descriptor)
  }
}
