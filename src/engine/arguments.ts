import type { z } from 'zod'
import { failed, ok, type Result } from '../base/diagnostic.ts'
import { objection } from '../base/objection.ts'
import { nearest } from '../base/suggest.ts'
import { engineProblem } from './problems.ts'

/** How many problems of one input are named. */
const MAX_PROBLEMS = 10

/** How many names of one input are compared with that of a missing argument. */
const MAX_NAMES = 20

/**
 * The arguments of a call by the schema of its input. MCP clients send null for an optional argument that they leave out; no
 * argument takes null, so it counts as absent. Gives `bad_arguments`, once for each wrong argument, by its path.
 */
export function readArguments<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): Result<z.output<Schema>> {
  const parsed = schema.safeParse(withoutNulls(input))
  if (parsed.success) return ok(parsed.data)
  return failed(
    parsed.error.issues.slice(0, MAX_PROBLEMS).map((issue) => {
      const path = pathOf(issue.path)
      const slip = issue.path.length === 1 ? slipIn(input, path) : undefined
      const wanted = `${path === '' ? 'the arguments' : `\`${path}\``} ${objection(issue)}${slip === undefined ? '' : `, and \`${slip}\` is no argument`}`
      return engineProblem('bad_arguments', { wanted }, path === '' ? {} : { path })
    }),
  )
}

/** The misspelt form under which an argument that is missing was given, if so. */
function slipIn(input: unknown, name: string): string | undefined {
  if (typeof input !== 'object' || input === null || Object.hasOwn(input, name)) return undefined
  return Object.keys(input)
    .slice(0, MAX_NAMES)
    .find((given) => nearest(given, [name]).length > 0)
}

/** Without the null values of this object, and of the objects in its lists: the seeds. */
function withoutNulls(input: unknown): unknown {
  if (!hasNull(input)) return input
  return Object.fromEntries(
    Object.entries<unknown>({ ...input })
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(withoutNulls) : value]),
  )
}

function hasNull(input: unknown): input is object {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
  const values: readonly unknown[] = Object.values(input)
  return values.some((value) => value === null || (Array.isArray(value) && value.some(hasNull)))
}

function pathOf(keys: readonly PropertyKey[]): string {
  return keys
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')
}
