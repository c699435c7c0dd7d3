import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { reasonOf } from '../../base/errors.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { Flag, Given, Positional } from './flags.ts'
import { cliProblem } from './problems.ts'

/** How `plan` and `run` are given a program. */
export const PROGRAM_POSITIONAL: Positional = {
  name: 'program',
  description: 'The program; default: --file or standard input',
}
export const PROGRAM_FLAGS: Readonly<Record<string, Flag>> = {
  ref: { value: 'REF', required: true, description: 'The session: s0 or l_…' },
  file: { value: 'PATH', short: 'f', description: 'Read the program from a file; - is standard input' },
}

/**
 * The program of a command line: its argument, a file or standard input.
 *
 * Gives `given_twice`, `missing_operand` or `unreadable_file`.
 */
export async function readProgram(given: Given, command: string): Promise<Result<string>> {
  const [argument] = given.positionals
  const file = given.text('file')
  if (argument !== undefined && file !== undefined)
    return failed([cliProblem('given_twice', { what: 'program', flag: '--file' })])
  if (argument !== undefined) return ok(argument)
  if (file === undefined && process.stdin.isTTY) {
    return failed([
      cliProblem('missing_operand', { command, name: '<program>, --file or a program on standard input' }),
    ])
  }
  try {
    return ok(file === undefined || file === '-' ? await text(process.stdin) : await readFile(file, 'utf8'))
  } catch (error) {
    const reason = reasonOf(error)
    return failed([cliProblem('unreadable_file', { path: file ?? '-', reason })])
  }
}
