#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { cliDependencies } from './app/command-line.ts'
import { hasCode } from './base/errors.ts'
import { runCli } from './surfaces/cli/main-command.ts'

// By default V8 optimizes a function after so little use that a command of a second spends a third of its CPU time on optimized
// code that it hardly uses. A process that serves needs that code: without it, each call takes twice as long.
if (!['serve', 'mcp', 'acp'].includes(process.argv[2] ?? '')) setFlagsFromString('--interrupt-budget=1000000')

// A reader that closes the pipe is not an error; output that is lost for another reason is one.
const unwritten: Error[] = []
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error) => {
    if (!hasCode(error, 'EPIPE')) unwritten.push(error)
  })

const code = await runCli(process.argv.slice(2), cliDependencies)
// Pipes may still hold what was printed; connections to APIs that are kept for reuse must not keep the process alive.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))),
)
const [lost] = unwritten
if (lost) process.stderr.write(`The output could not be written: ${lost.message}.\n`)
process.exit(lost && code === 0 ? 1 : code)
