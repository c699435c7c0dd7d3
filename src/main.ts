#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { cliDependencies } from './app/command-line.ts'
import { runCli } from './surfaces/cli/main-command.ts'

// By default V8 optimizes a function after so little use that a command of a second spends a third of its CPU time on optimized
// code that it hardly uses. A process that serves needs that code: without it, each call takes twice as long.
if (!['serve', 'mcp', 'acp'].includes(process.argv[2] ?? '')) setFlagsFromString('--interrupt-budget=1000000')

// Ignore EPIPE: a reader that closes the pipe is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const code = await runCli(process.argv.slice(2), cliDependencies)
// Pipes may still hold what was printed; connections to APIs that are kept for reuse must not keep the process alive.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))),
)
process.exit(code)
