#!/usr/bin/env node
import { cliDependencies } from './app/command-line.ts'
import { runCli } from './surfaces/cli/main-command.ts'

// Ignore EPIPE: a reader that closes the pipe is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const code = await runCli(process.argv.slice(2), cliDependencies)
// Pipes may still hold what was printed; connections to APIs that are kept for reuse must not keep the process alive.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))),
)
process.exit(code)
