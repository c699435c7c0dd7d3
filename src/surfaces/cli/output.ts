import { type Problem, sentences } from '../../base/diagnostic.ts'
import type { Reply } from '../../engine/index.ts'

/** Exit codes: it was done; something was wrong with the world; something was wrong with the command line. */
export const EXIT = { ok: 0, problem: 1, usage: 2 } as const
export type Exit = (typeof EXIT)[keyof typeof EXIT]

/** What every help says of them. */
export const EXIT_HELP =
  'EXIT CODES 0 done, 1 refused or failed (also where nothing but problems came back), 2 wrong command line'

/** Writes to standard output, which holds answers and nothing else. */
export function print(text: string): void {
  process.stdout.write(text)
}

/** Writes to standard error, a line. */
export function say(line: string): void {
  process.stderr.write(ended(line))
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

/**
 * An answer: its text, byte for byte what MCP gives (at a terminal it ends its line), or everything as one line of JSON. What it teaches counts as told once
 * it was written.
 */
export async function answer<Facts>(reply: Reply<Facts>, asJson: boolean): Promise<Exit> {
  const isSeen = !reply.ok || process.stdout.isTTY
  const text = asJson ? `${JSON.stringify(reply)}\n` : isSeen ? ended(reply.text) : reply.text
  await new Promise<void>((resolve) => {
    const stream = asJson || reply.ok ? process.stdout : process.stderr
    stream.write(text, () => resolve())
  })
  if (!reply.ok) return EXIT.problem
  await reply.markDelivered?.()
  return EXIT.ok
}

/** Problems of the command line or the settings. */
export function refuse(problems: readonly Problem[], asJson: boolean, exit: Exit): Exit {
  const text = problems.map((problem) => `${problem.code}: ${sentences(problem)}\n`).join('')
  if (asJson) print(`${JSON.stringify({ ok: false, text, problems })}\n`)
  else say(text)
  return exit
}
