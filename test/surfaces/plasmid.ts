import { Readable, Writable } from 'node:stream'
import { cliDependencies } from '../../src/app/command-line.ts'
import { runCli } from '../../src/surfaces/cli/main-command.ts'
import { cleanEnv } from './plasmid-process.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** The last work in place of the process: two at once would write to the same streams. */
let last: Promise<unknown> = Promise.resolve()

/** Lets `work` see these properties of `process`, once no other work sees its own. */
export function asProcess<Value>(
  values: Readonly<Record<string, unknown>>,
  work: () => Promise<Value>,
): Promise<Value> {
  const result = last.then(async () => {
    const restore = replaced(values)
    try {
      return await work()
    } finally {
      restore()
    }
  })
  last = result.catch(() => undefined)
  return result
}

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
    const listeners = SIGNALS.map((signal) => process.listeners(signal))
    try {
      const code = await runCli(args, cliDependencies)
      return { code, stdout: stdout.text, stderr: stderr.text }
    } finally {
      SIGNALS.forEach((signal, index) => {
        for (const listener of process.listeners(signal))
          if (!listeners[index]?.includes(listener)) process.off(signal, listener)
      })
    }
  })
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
