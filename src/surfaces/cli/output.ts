import { type Problem, sentences } from '../../base/diagnostic.ts'
import type { Reply, RunFacts } from '../../engine/index.ts'
import type { Answered } from '../bodies/bodies.ts'
import { toRefusalBody } from '../bodies/refusal.ts'
import { EXIT, type Exit, exitOf } from './exit.ts'

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
 * An answer: its text, byte for byte as over MCP (a terminal gets a final line break), or with `--json` one line: the body that
 * HTTP gives, with `ok`. Its table counts as delivered once the whole answer is written.
 *
 * @param effects the outcomes of the changes of a run that was refused in the end
 */
export async function answer<Facts>(
  reply: Reply<Facts>,
  asJson: boolean,
  toBody: (reply: Answered<Facts>) => object,
  effects: RunFacts['effects'] = [],
): Promise<Exit> {
  const isSeen = !reply.ok || process.stdout.isTTY
  const body = () =>
    reply.ok
      ? { ok: true, text: reply.text, ...toBody(reply) }
      : { ok: false, ...toRefusalBody(reply.problems, reply.text, { confirm: reply.confirm, effects }) }
  const text = asJson ? `${JSON.stringify(body())}\n` : isSeen ? ended(reply.text) : reply.text
  await new Promise<void>((resolve) => {
    const stream = asJson || reply.ok ? process.stdout : process.stderr
    stream.write(text, () => resolve())
  })
  if (!reply.ok) return exitOf(reply.problems)
  await reply.markDelivered?.()
  return EXIT.ok
}

/** Problems before there is an answer: of the command line, the settings or this machine. */
export function refuse(problems: readonly Problem[], asJson: boolean): Exit {
  const text = problems.map((problem) => `${problem.code}: ${sentences(problem)}\n`).join('')
  if (asJson) print(`${JSON.stringify({ ok: false, ...toRefusalBody(problems, text) })}\n`)
  else say(text)
  return exitOf(problems)
}
